// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

@testable internal import TintypeDevice

extension RecordedDriver {
    func answer(_ argument: inout v4l2_fmtdesc) -> CInt {
        guard argument.index < record.formats.count else { return EINVAL }
        let format = record.formats[Int(argument.index)]
        argument.pixelformat = format.pixelFormat.rawValue
        V4L2Node.write(format.name, to: &argument.description)
        argument.flags = format.flags?.low ?? 0
        return 0
    }

    func answer(_ argument: inout v4l2_frmsizeenum) -> CInt {
        guard let format = record.formats.first(where: { $0.pixelFormat.rawValue == argument.pixel_format }) else {
            return EINVAL
        }
        if let range = format.sizeRange {
            guard argument.index == 0 else { return EINVAL }
            argument.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
            argument.stepwise = range.kernel
            return 0
        }
        guard argument.index < format.sizes.count else {
            return format.sizes.isEmpty ? refusal(of: .sizes) : EINVAL
        }
        let size = format.sizes[Int(argument.index)].size
        argument.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        argument.discrete = v4l2_frmsize_discrete(width: UInt32(size.width), height: UInt32(size.height))
        return 0
    }

    func answer(_ argument: inout v4l2_frmivalenum) -> CInt {
        let size = FrameSize(width: Int(argument.width), height: Int(argument.height))
        let answers = answers(about: FourCC(rawValue: argument.pixel_format), size)
        guard let intervals = answers?.intervals else { return refusal(of: .intervals, else: EINVAL) }
        guard answers?.hasIntervalRange == true, intervals.count == 3 else {
            guard argument.index < intervals.count else { return EINVAL }
            argument.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            argument.discrete = intervals[Int(argument.index)].kernel
            return 0
        }
        guard argument.index == 0 else { return EINVAL }
        argument.type = V4L2_FRMIVAL_TYPE_STEPWISE.rawValue
        argument.stepwise = v4l2_frmival_stepwise(
            min: intervals[0].kernel,
            max: intervals[1].kernel,
            step: intervals[2].kernel
        )
        return 0
    }

    /// What was recorded about a size of a format; about one of a range that was not asked about, that of the next larger
    /// one.
    func answers(about pixelFormat: FourCC, _ size: FrameSize) -> RecordedSize? {
        guard let format = record.formats.first(where: { $0.pixelFormat == pixelFormat }) else { return nil }
        let known = format.sizes + (format.asked ?? [])
        if let exact = known.first(where: { $0.size == size }) { return exact }
        guard format.sizeRange?.contains(size) == true else { return nil }
        let larger = known.filter { $0.size.width >= size.width && $0.size.height >= size.height }
        return larger.min { $0.size.area < $1.size.area } ?? known.last
    }

    /// What the driver makes of a wish for a format and size; nil where it refused to say.
    ///
    /// An unknown format becomes the first one, and a size that is not listed the one that overlaps most with it, both as
    /// uvcvideo has it (`uvc_v4l2_try_format()`).
    func picture(for wish: FourCC, _ size: FrameSize) -> RecordedPicture? {
        guard let format = record.formats.first(where: { $0.pixelFormat == wish }) ?? record.formats.first else {
            return nil
        }
        func overlap(_ other: FrameSize) -> Int {
            size.area + other.area - 2 * min(size.width, other.width) * min(size.height, other.height)
        }
        let listed = format.sizes.min { overlap($0.size) < overlap($1.size) }?.size
        let nearest = format.sizeRange?.bound(size) ?? listed ?? record.format?.size ?? size
        let known = (format.sizes + (format.asked ?? [])).first { $0.size == nearest }
        if let tried = known?.tried { return tried }
        if known != nil, record.refusals?[RecordedQuery.tryFormat.rawValue].map({ $0 != Int(ENOTTY) }) == true {
            return nil
        }
        var picture = RecordedPicture(pixelFormat: format.pixelFormat, size: nearest)
        picture.field = record.format?.field
        picture.colorspace = record.format?.colorspace
        return picture
    }

    /// The interval of the present format and size that is nearest to `wish`.
    func nearestInterval(to wish: Fraction) -> Fraction? {
        guard let wanted = FrameInterval(wish.kernel)?.duration,
            let answers = answers(about: picture.pixelFormat, picture.size), let offered = answers.intervals
        else { return nil }
        let known = offered.compactMap { fraction in
            FrameInterval(fraction.kernel).map { (fraction: fraction, duration: $0.duration) }
        }
        if answers.hasIntervalRange == true, let shortest = known.first, let longest = known.dropFirst().first {
            return wanted < shortest.duration
                ? shortest.fraction : wanted > longest.duration ? longest.fraction : wish
        }
        func distance(_ duration: Duration) -> Duration { max(duration - wanted, wanted - duration) }
        return known.min { distance($0.duration) < distance($1.duration) }?.fraction
    }
}
