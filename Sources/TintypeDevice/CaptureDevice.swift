// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// A camera as its session sees it: opened, configured, streaming, closed when released.
///
/// Not `Sendable`: it never leaves its device thread, and every call may block there.
package protocol CaptureDevice: AnyObject {
    /// Which camera this is.
    var identity: CameraIdentity { get }
    /// Readable (POLLIN) when a frame waits, between ``start()`` and ``stop()``; POLLPRI when an event waits.
    var descriptor: CInt { get }
    /// Whether it tells by an event, also while it does not stream, that the signal of the selected input has changed.
    var tellsSourceChanges: Bool { get }
    /// How the stamps of its frames are read; lead and exposure are told to it.
    var clock: FrameClock { get set }
    /// What the device offers.
    func formats() throws(DeviceError) -> [FormatDescription]
    /// What it offers of one size out of a range; nil if all sizes of the range have the same.
    func description(of size: FrameSize, in format: FourCC) -> FrameSizeDescription?
    /// What the device is set to now, in the size of the signal if it receives one: where a wish is silent, this holds.
    func currentFormat() throws(DeviceError) -> CaptureFormat
    /// Sets input, standard and timings; what the device offers depends on them. Only while not streaming.
    ///
    /// Throws ``DeviceError/noSignal(path:input:fault:)`` where the input gives no picture.
    ///
    /// - Returns: the input that is set; nil for a device that has none.
    func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus?
    /// Sets the format and, where it is wanted, the part of the picture, and returns what the driver granted, which may
    /// differ. Only while not streaming.
    func configure(_ format: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat
    /// Asks for buffers, maps and queues them and starts the stream. Returns the number of buffers granted.
    func start() throws(DeviceError) -> Int
    /// Takes all waiting buffers, keeps the newest good one and gives the others back.
    func dequeue() throws(DeviceError) -> Drain
    /// Takes all waiting events, oldest first; to be called at POLLPRI, and where ``Drain/hasEvents`` says so.
    func events() throws(DeviceError) -> [DeviceEvent]
    /// Its controls, for as long as it is open.
    var controls: any ControlDriver { get }
    /// Gives the buffers of ended leases back to the driver.
    func reclaim() throws(DeviceError)
    /// What makes pictures of this format's frames that the encoder can read, the right way up; nil where they are so
    /// already.
    ///
    /// Frames go through it off this thread.
    func makeConverter(for granted: GrantedFormat) throws(DeviceError) -> sending PixelConverter?
    /// Whether it may write into buffers that are lent: then a frame has to be copied out at once.
    var overwritesLentBuffers: Bool { get }
    /// Whether it may have written into this buffer since it was taken: to be asked once the frame was copied out.
    func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool
    /// How long it is exposing each frame now; nil if it cannot tell. No error: a stall limit can do without.
    func exposureTime() -> Duration?
    /// Ends the stream and unmaps the buffers. Leases stay readable until they end.
    func stop()
}

extension CaptureDevice {
    /// Most devices have no signal.
    package var tellsSourceChanges: Bool { false }
    /// Most devices leave alone what they lent.
    package var overwritesLentBuffers: Bool { false }
    /// Most devices leave alone what they lent.
    package func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool { false }
    /// Most devices list their sizes.
    package func description(of size: FrameSize, in format: FourCC) -> FrameSizeDescription? { nil }
    /// Most devices cannot tell.
    package func exposureTime() -> Duration? { nil }
    /// A converter for a device that has no node and so is in no table.
    package func makeConverter(for granted: GrantedFormat) throws(DeviceError) -> sending PixelConverter? {
        try PixelConverter.make(for: granted.layout, profile: ConverterProfile(identity))
    }
}

/// What a driver agreed to.
package struct GrantedFormat: Hashable, Sendable {
    /// Pixel format, size and interval as the driver read them back.
    package var format: CaptureFormat
    /// How to read a buffer.
    package var layout: PictureLayout
    /// The part of the picture that is delivered; nil for all of it.
    package var crop: CropRectangle?
}

/// How many buffers are asked for: the newest is held, one older may be with the encoder, the rest are the driver's.
package let wantedBuffers = 5

/// What a device tells besides frames.
///
/// Source: `VIDIOC_DQEVENT` of the V4L2 documentation.
package enum DeviceEvent: Hashable, Sendable {
    /// The signal of the input has another size or timing, is gone or is back (`V4L2_EVENT_SOURCE_CHANGE`): what was
    /// negotiated holds no longer.
    case sourceChanged
    /// The last frame has been delivered (`V4L2_EVENT_EOS`).
    case endOfStream
    /// A control has changed (`V4L2_EVENT_CTRL`).
    ///
    /// - Parameters:
    ///   - id: its number.
    ///   - value: its value, or 0 for one that holds more than a number; nil where the value did not change.
    ///   - isRedefined: whether its range, flags or dimensions changed, so that it has to be described again.
    case controlChanged(id: UInt32, value: Int64?, isRedefined: Bool)
}
