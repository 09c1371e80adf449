// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
package import TintypeImaging
package import TintypeModel
package import TintypeSystem

/// JPEG file made of a frame, for all subscriptions with the same ``EncodingOptions``.
package struct EncodedImage: Sendable {
    package private(set) var stamp: FrameStamp
    package private(set) var name: ImageName
    package var jpeg: [UInt8]
    package var size: FrameSize
    package var verdict: Verdict
    package var faults: [PictureFault] = []
    var camera: CameraExif?
    var emptiness: BlankCheck?
    package var deinterlaced: Deinterlacing?
    /// True if the camera's own JPEG was decoded and compressed again.
    package var isRecompressed = false
    /// Colour signal reported by the driver; nil for the camera's own JPEG.
    package var signal: ColorSignal?
    /// Id in the EXIF data; nil before tintype has written any.
    package private(set) var describedAs: FrameID?
    /// Time to encode the picture, or copy it from the driver's buffer, and to analyse it.
    package var encodeTime = Duration.zero
    package var defects: [ImageDefect] = []

    package init(
        of frame: Frame,
        by clock: any MonotonicClock,
        jpeg: [UInt8] = [],
        size: FrameSize,
        verdict: Verdict,
        faults: [PictureFault] = []
    ) {
        (stamp, name) = (frame.stamp, ImageName(of: frame.stamp, by: clock))
        (self.jpeg, self.size, self.verdict, self.faults) = (jpeg, size, verdict, faults)
    }

    package var key: FrameKey { stamp.key }

    func dated(_ stamp: FrameStamp, by clock: any MonotonicClock) -> EncodedImage {
        var image = self
        (image.stamp, image.name) = (stamp, ImageName(of: stamp, by: clock))
        return image
    }

    /// Writes EXIF data into the file, replacing the existing; with `id`, by default that of ``name``.
    mutating func describe(_ options: EncodingOptions, _ camera: CameraFacts, as id: FrameID? = nil) {
        let id = id ?? name.id
        let (time, number) = (name.capturedAt, stamp.sequence)
        var facts = ExifFacts(id: id, capturedAt: time, size: size, sequence: number, verdict: verdict)
        facts.average = options.average
        facts.camera = camera.identity
        facts.reading = camera.reading
        facts.position = camera.position
        facts.isClockSynchronized = WallClock.isSynchronized
        facts.own = self.camera
        facts.hasOwnOrientation = options.image.keepsOrientation && options.look?.orientation.isIdentity ?? true
        jpeg = facts.write(into: exchange(&jpeg, with: []))
        describedAs = id
    }
}

package struct FrameDelivery: Sendable {
    package let image: EncodedImage
    package var skipped: [SkipReason: Int] = [:]
    /// Delay of the first frame caused by settling alone; zero for later frames.
    package var settleDelay = Duration.zero
    /// True if exposure and white balance had settled at this frame; nil if that was not analysed.
    package var isSettled: Bool?
    /// The last opening of the camera when the frame was taken; nil for a frame delivered without waiting.
    package var opening: SessionSnapshot.Opening?
}

package struct PassedFrames: Hashable, Sendable {
    package var skipped: [SkipReason: Int] = [:]
    package var faults: [PictureFault: Int] = [:]

    mutating func count(_ reason: SkipReason, _ count: Int = 1) { skipped[reason, default: 0] += count }

    mutating func uncount(_ reason: SkipReason) {
        guard let count = skipped[reason] else { return }
        skipped[reason] = count > 1 ? count - 1 : nil
    }
}

/// Images made and being made of the newest frame: one for each kind of options, shared by all subscribers.
struct FrameMemo {
    private enum Entry {
        case inProgress
        case done(EncodedImage)
        /// The frame is damaged, or rejected by these options.
        case damaged
    }

    let key: FrameKey
    /// Total suspend time of the machine when the frame arrived.
    let slept: Duration
    private var entries: [(options: EncodingOptions, entry: Entry)] = []

    init(_ key: FrameKey, slept: Duration) { (self.key, self.slept) = (key, slept) }

    func image(_ options: EncodingOptions) -> EncodedImage? {
        if case .done(let image) = entry(options) { image } else { nil }
    }

    /// True if the frame is damaged, or rejected, by the standard of these options.
    func isDamaged(for wanted: EncodingOptions) -> Bool {
        entries.contains { options, entry in
            guard case .damaged = entry else { return false }
            return options.integrity == wanted.integrity && options.reject == wanted.reject
        }
    }

    /// Marks an image as in progress; false if it is made already, or being made.
    mutating func begin(_ options: EncodingOptions) -> Bool {
        guard entry(options) == nil else { return false }
        entries.append((options, .inProgress))
        return true
    }

    mutating func record(_ result: EncodingResult, _ options: EncodingOptions) {
        forget(options)
        switch result {
        case .success(let image): entries.append((options, .done(image)))
        case .failure(.refused): break
        case .failure: entries.append((options, .damaged))
        }
    }

    /// Forgets an image in progress, for which nobody waits any more.
    mutating func forget(_ options: EncodingOptions) { entries.removeAll { $0.options == options } }
    private func entry(_ options: EncodingOptions) -> Entry? { entries.first { $0.options == options }?.entry }
}

package typealias EncodingResult = Result<EncodedImage, ImagingError>

package struct CameraFacts: Sendable {
    package var identity: CameraIdentity?
    /// Exposure and focus around the frame's time; nil if the device did not report them.
    package var reading: CameraReading?
    package var position: GeoPosition?
}

/// Identity of an image, by which a client detects a repeat; copies in the spool get an id each; any thread.
package final class ImageName: Sendable {
    /// Id for replies that do not store the image, and for the first stored copy.
    package let id: FrameID
    /// Start of exposure in wall-clock time, converted when the name was created.
    package let capturedAt: Timestamp
    private let isTaken = Atomic(false)

    package init(of stamp: FrameStamp, by clock: any MonotonicClock) {
        capturedAt = clock.wall(at: stamp.exposureStart)
        id = FrameID(at: capturedAt)
    }

    /// Id for a copy to be stored: ``id`` for the first, a new one for each further copy.
    package func takeID() -> FrameID { isTaken.exchange(true, ordering: .relaxed) ? FrameID(at: capturedAt) : id }
}

/// Parameters for making an image of a frame; subscribers with equal options share the image.
package struct EncodingOptions: Hashable, Sendable {
    package var image: ImageOptions
    /// JPEG quality if `image` sets none.
    package var usualQuality: Int
    package private(set) var integrity: Integrity
    package private(set) var reject: Set<ImageDefect>
    package var average: Int
    package var style: OverlayStyle
    package private(set) var look: CameraLook?
    /// True for pictures of a video stream: without EXIF data, and analysed only if required for rejection.
    package var isStreamed: Bool
    /// The average that the image contributes to; nil for a complete image.
    package private(set) var part: FrameAverage?

    package init(
        _ image: ImageOptions,
        integrity: Integrity,
        reject: Set<ImageDefect> = [],
        usualQuality: Int = StillRequest.defaultQuality,
        average: Int = 1,
        style: OverlayStyle = OverlayStyle(),
        look: CameraLook? = nil,
        isStreamed: Bool = false
    ) {
        (self.image, self.usualQuality, self.average, self.isStreamed) = (image, usualQuality, average, isStreamed)
        (self.reject, self.look) = (reject, look)
        // Lost blocks would move the picture from under its mask.
        self.integrity = look?.isMasked == true && integrity == .tolerant ? .strict : integrity
        // Ignore the style without an overlay, so that equal pictures are shared.
        self.style = image.overlay == nil ? OverlayStyle() : style
    }

    var isMasked: Bool { look?.isMasked == true }
    var isAnalysed: Bool { integrity != .raw && (!isStreamed || !reject.isEmpty) }
    var quality: Int { image.quality ?? usualQuality }

    package func part(of average: FrameAverage) -> EncodingOptions {
        var options = self
        options.part = average
        return options
    }
}
