// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

extension V4L2Device {
    /// Limit for lists of broken drivers that never end.
    private static let listLimit: UInt32 = 512
    /// Maximum width or height in pixels, that of JPEG.
    static let longestSide = 65_535

    /// `VIDIOC_ENUM_FMT`, `VIDIOC_ENUM_FRAMESIZES` and `VIDIOC_ENUM_FRAMEINTERVALS`.
    package func formats() throws(DeviceError) -> [FormatDescription] {
        var list: [FormatDescription] = []
        for index in 0..<Self.listLimit {
            var item = v4l2_fmtdesc()
            item.index = index
            item.type = bufferType.rawValue
            let code = node.attempt(.formats, CV4L2_ENUM_FMT, &item)
            if code == EINVAL { break }
            guard code == 0 else { throw DeviceError(operation: "VIDIOC_ENUM_FMT", path: node.path, errno: code) }
            let format = FourCC(rawValue: item.pixelformat)
            list.append(
                FormatDescription(
                    pixelFormat: format,
                    name: V4L2Node.text(of: item.description),
                    isEmulated: item.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0,
                    sizes: sizes(of: format)
                )
            )
        }
        return list
    }

    private func sizes(of format: FourCC) -> [FrameSizeDescription] {
        var list: [FrameSizeDescription] = []
        for index in 0..<Self.listLimit {
            var item = v4l2_frmsizeenum()
            item.index = index
            item.pixel_format = format.rawValue
            guard node.attempt(.formats, CV4L2_ENUM_FRAMESIZES, &item) == 0 else { break }
            guard item.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                let range = item.stepwise
                var sizes = described(Self.size(range.max_width, range.max_height), format)
                sizes.minimum = Self.size(range.min_width, range.min_height)
                sizes.step = Self.size(max(1, range.step_width), max(1, range.step_height))
                list.append(sizes)
                break
            }
            list.append(described(Self.size(item.discrete.width, item.discrete.height), format))
        }
        return list
    }

    /// Broken drivers may report anything.
    private static func size(_ width: UInt32, _ height: UInt32) -> FrameSize {
        FrameSize(width: min(Int(width), longestSide), height: min(Int(height), longestSide))
    }

    /// `VIDIOC_ENUM_FRAMEINTERVALS`.
    package func description(of size: FrameSize, in format: FourCC) -> FrameSizeDescription? { described(size, format) }

    private func described(_ size: FrameSize, _ format: FourCC) -> FrameSizeDescription {
        var list: [FrameInterval] = []
        var isRange = false
        for index in 0..<Self.listLimit {
            var item = v4l2_frmivalenum()
            item.index = index
            item.pixel_format = format.rawValue
            item.width = UInt32(size.width)
            item.height = UInt32(size.height)
            guard node.attempt(.formats, CV4L2_ENUM_FRAMEINTERVALS, &item) == 0 else { break }
            guard item.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                list += [item.stepwise.min, item.stepwise.max].compactMap(FrameInterval.init)
                isRange = true
                break
            }
            list += [item.discrete].compactMap(FrameInterval.init)
        }
        let intervals = list.sorted { $0.duration < $1.duration }
        return FrameSizeDescription(size: size, intervals: intervals, hasIntervalRange: isRange)
    }
}

extension FrameInterval {
    init?(_ fraction: v4l2_fract) { self.init(numerator: fraction.numerator, denominator: fraction.denominator) }
}
