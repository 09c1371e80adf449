// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel
internal import TintypeThreads

/// The built-in test pattern: a camera made of a timer and memory, with a counter and a clock in its picture.
///
/// It draws every frame that it hands out, whether or not anyone takes it. The exposure of frame n begins at the start
/// of the stream plus n intervals, and the frame is there at once.
package final class PatternDevice: CaptureDevice {
    /// Turns a drawn picture into the JPEG that an MJPEG pattern delivers; runs on the device thread.
    package typealias PictureEncoder = (RawSpan, PictureLayout) throws -> [UInt8]

    package let identity: CameraIdentity
    let spec: PatternSpec
    let calls: DriverCalls
    let encoder: PictureEncoder?
    let timer: Descriptor
    var pool: BufferPool?
    var free: [Int] = []
    var painter: PatternPainter?
    var clock = FrameClock(interval: nil)
    var streamStart = MonotonicTime(nanoseconds: 0)
    var number: UInt64 = 0
    var handedOut = 0
    var pendingEvents: [DeviceEvent] = []

    /// A pattern camera called `name`.
    ///
    /// - Parameters:
    ///   - spec: what it shows and what it does wrong.
    ///   - name: stands for the path of its node.
    ///   - calls: where its driver calls are marked.
    ///   - encoder: makes the JPEG pictures of an MJPEG pattern; others need none.
    /// - Throws: what the specification wants it to fail with.
    package init(
        _ spec: PatternSpec,
        name: String,
        calls: DriverCalls,
        encoder: PictureEncoder? = nil
    ) throws(DeviceError) {
        NamedThread.assertMayBlock("opening \(name)")
        guard !spec.faults.isDenied else { throw .denied(path: name) }
        guard !spec.format.pixelFormat.isJPEG || encoder != nil else {
            throw .unsupported(path: name, reason: "an MJPEG pattern needs an encoder.")
        }
        self.spec = spec
        self.calls = calls
        self.encoder = spec.format.pixelFormat.isJPEG ? encoder : nil
        identity = Self.identity(named: name)
        Self.hangIfAsked(in: .open, spec.faults, calls)
        let descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC) | CInt(TFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system(operation: "timerfd_create", path: name, errno: errno) }
        timer = Descriptor(descriptor)
    }

    /// What a pattern camera called `name` says of itself.
    package static func identity(named name: String) -> CameraIdentity {
        CameraIdentity(path: name, card: "Test pattern", driver: "pattern", busInfo: "built-in")
    }

    package var descriptor: CInt { timer.rawValue }

    package func formats() throws(DeviceError) -> [FormatDescription] {
        [
            FormatDescription(
                pixelFormat: spec.format.pixelFormat,
                name: "Test pattern",
                isSupported: true,
                isEmulated: false,
                sizes: [
                    FrameSizeDescription(size: spec.format.size, intervals: spec.format.interval.map { [$0] } ?? [])
                ]
            )
        ]
    }

    package func currentFormat() throws(DeviceError) -> CaptureFormat { spec.format }

    /// Grants what the specification says, whatever is asked for.
    package func configure(_ format: CaptureFormat) throws(DeviceError) -> GrantedFormat {
        GrantedFormat(format: spec.format, layout: layout(spec.format.pixelFormat))
    }

    package func events() throws(DeviceError) -> [DeviceEvent] {
        defer { pendingEvents = [] }
        return pendingEvents
    }

    /// What is drawn: for MJPEG the picture before it is encoded.
    var canvas: PictureLayout { layout(spec.format.pixelFormat.isJPEG ? .nv12 : spec.format.pixelFormat) }

    /// Rows without padding.
    private func layout(_ pixelFormat: FourCC) -> PictureLayout {
        var layout = PictureLayout(
            pixelFormat: pixelFormat,
            size: spec.format.size,
            bytesPerRow: 0,
            color: spec.format.pixelFormat.isJPEG ? .jfif : spec.color
        )
        layout.bytesPerRow = layout.minimumBytesPerRow ?? 0
        return layout
    }
}
