// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel
internal import TintypeThreads

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
    var pool: BufferPool?
    var free: [Int] = []
    var painter: PatternPainter?
    var noise: PatternNoise?
    package var clock: FrameClock
    var streamStart = MonotonicTime(nanoseconds: 0)
    var number: UInt64 = 0
    var handedOut = 0
    var pendingEvents: [DeviceEvent] = []
    let source: PatternSource
    /// What was granted last.
    var picture: CaptureFormat
    /// The part of it that is delivered; nil for all.
    var part: CropRectangle?
    var faults: PatternSpec.Faults
    var faultsText = ""
    var hasHung = false
    var lastSequence: UInt32?
    /// The last frame that was written over when it was handed out, by its ordinal.
    var overwritten: UInt64?
    /// The time from one frame to the next: an exposure longer than the interval takes its time.
    var period = Duration.zero
    let patternControls: PatternControls
    var hasChangedBrightness = false

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
        faults = spec.faults
        clock = FrameClock(stampsArrival: spec.faults.stampsArrival)
        self.calls = calls
        patternControls = PatternControls(path: name, faults: spec.controlFaults)
        self.source = source
        picture = spec.format
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

    package var descriptor: CInt { timer.descriptor }

    package var overwritesLentBuffers: Bool { faults.overwrites || faults.overwriteEvery != nil }

    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool { overwritten == lease.stamp.ordinal }

    package func exposureTime() -> Duration? { faults.exposure }

    package func events() throws(DeviceError) -> [DeviceEvent] {
        defer { pendingEvents = [] }
        return pendingEvents
    }

    /// What is drawn: for MJPEG the picture before it is encoded.
    var canvas: PictureLayout {
        PictureLayout(
            pixelFormat: picture.pixelFormat.isJPEG ? .nv12 : picture.pixelFormat,
            size: picture.size,
            bytesPerRow: 0,
            color: picture.pixelFormat.isJPEG ? .jfif : spec.color
        ).withoutPadding
    }
}
