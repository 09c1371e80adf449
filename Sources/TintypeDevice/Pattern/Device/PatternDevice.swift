// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
internal import TintypeSystem

/// The built-in test pattern: a camera made of a timer and memory, with a counter and a clock in its picture.
///
/// It draws every frame that it hands out, whether or not anyone takes it. The exposure of frame n begins at the start
/// of the stream plus n intervals, and the frame is there at once; with a lead it is there that much later.
package final class PatternDevice: CaptureDevice {
    /// Turns a drawn picture into the JPEG that an MJPEG pattern delivers; runs on the device thread.
    package typealias PictureEncoder = (RawSpan, PictureLayout) throws -> [UInt8]

    package let identity: CameraIdentity
    let spec: PatternSpec
    let calls: DriverCalls
    let encoder: PictureEncoder?
    let timer: any ThreadTimer
    let source: PatternSource
    let patternControls: PatternControls
    package var clock: FrameClock
    /// The stream that runs, or ran last.
    var stream = PatternStream()
    /// What was granted last, and the part of it that is delivered; nil for all.
    var granted: (format: CaptureFormat, part: CropRectangle?)
    var misbehaviour: Misbehaviour
    var pendingEvents: [DeviceEvent] = []

    /// What it does wrong, and what it has done already.
    struct Misbehaviour {
        var faults: PatternSpec.Faults
        /// What the file of faults said last.
        var fileText = ""
        var hasHung = false
        /// Whether "another program" has changed the brightness.
        var hasChangedBrightness = false
    }

    /// A pattern camera called `name`.
    ///
    /// - Parameters:
    ///   - spec: what it shows and what it does wrong.
    ///   - name: stands for the path of its node.
    ///   - calls: where its driver calls are marked.
    ///   - source: what it receives; one for all openings of a camera.
    ///   - encoder: makes the JPEG pictures of an MJPEG pattern; others need none.
    /// - Throws: what the specification wants it to fail with.
    package init(
        _ spec: PatternSpec,
        name: String,
        calls: DriverCalls,
        source: PatternSource = PatternSource(),
        encoder: PictureEncoder? = nil
    ) throws(DeviceError) {
        NamedThread.assertMayBlock("opening \(name)")
        guard !spec.hasJPEG || encoder != nil else {
            throw .unsupported(path: name, reason: "an MJPEG pattern needs an encoder.")
        }
        self.spec = spec
        misbehaviour = Misbehaviour(faults: spec.faults)
        clock = FrameClock(origin: spec.faults.stampsArrival ? .arrival : .flagged)
        self.calls = calls
        patternControls = PatternControls(path: name, faults: spec.controlFaults)
        self.source = source
        granted = (spec.format, nil)
        self.encoder = spec.hasJPEG ? encoder : nil
        identity = Self.identity(named: name)
        timer = calls.clock.timer()
        try refreshFaults()
        try pass(.open)
        try pass(.queryCapability)
    }

    /// What a pattern camera called `name` says of itself.
    package static func identity(named name: String) -> CameraIdentity {
        CameraIdentity(path: name, card: "Test pattern", driver: "pattern", busInfo: "built-in")
    }

    func unsupported(_ reason: String) -> DeviceError { .unsupported(path: identity.path, reason: reason) }

    var picture: CaptureFormat { granted.format }
    var part: CropRectangle? { granted.part }
    var faults: PatternSpec.Faults { misbehaviour.faults }

    package var descriptor: CInt { timer.descriptor }

    package var overwritesLentBuffers: Bool { stream.overwritesLent || faults.overwriteEvery != nil }

    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool { stream.overwritten == lease.stamp.ordinal }

    package func exposureTime() -> Duration? { faults.exposure }

    package func events() throws(DeviceError) -> [DeviceEvent] {
        defer { pendingEvents = [] }
        return pendingEvents
    }

    /// What is drawn: for MJPEG the picture before it is encoded.
    var canvas: PictureLayout { layout(of: picture.pixelFormat.isJPEG ? .nv12 : picture.pixelFormat, picture.size) }

    /// The layout of a picture with rows as short as they can be.
    func layout(of format: FourCC, _ size: FrameSize) -> PictureLayout {
        let color = picture.pixelFormat.isJPEG ? ColorEncoding.jfif : spec.color
        var layout = PictureLayout(pixelFormat: format, size: size, bytesPerRow: 0, color: color)
        layout.bytesPerRow = layout.minimumBytesPerRow ?? 0
        return layout
    }
}

/// A stream of the test pattern.
struct PatternStream {
    /// Its buffers; nil while it does not run.
    var pool: BufferPool?
    /// Those of them that are neither filled nor lent.
    var free: [Int] = []
    var painter: PatternPainter?
    var noise: PatternNoise?
    var start = MonotonicTime(nanoseconds: 0)
    /// The time from one frame to the next: an exposure longer than the interval takes its time.
    var period = Duration.zero
    /// Counts the frames, and those that were handed out.
    var number: UInt64 = 0
    var handedOut = 0
    var lastSequence: UInt32?
    /// Whether it writes into buffers that it lent, from its start on: no driver begins with that in mid-stream.
    var overwritesLent = false
    /// The last frame that was written over when it was handed out, by its ordinal.
    var overwritten: UInt64?
}

/// What stands before a pattern camera, whether the camera is open or not: the signal that it receives.
///
/// Any thread.
package final class PatternSource: Sendable {
    private let changed = Atomic(false)

    /// A source as the specification begins with.
    package init() {}

    /// Whether the source has changed (``PatternSpec/Change``).
    var hasChanged: Bool { changed.load(ordering: .relaxed) }

    /// The source changes, for good.
    func change() { changed.store(true, ordering: .relaxed) }
}
