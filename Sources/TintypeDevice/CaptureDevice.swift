// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// A capture device as used by its session; closed when released.
///
/// Not `Sendable`: confined to its device thread, where every call may block.
package protocol CaptureDevice: AnyObject {
    var identity: CameraIdentity { get }
    /// For poll(2): POLLIN between ``start()`` and ``stop()`` if a frame is ready, POLLPRI if an event is pending.
    var descriptor: CInt { get }
    /// True if the device sends an event when the signal of the selected input changes, also while not streaming.
    var tellsSourceChanges: Bool { get }
    /// Interprets the timestamps of its frames; the session sets its lead and exposure.
    var clock: FrameClock { get set }
    func formats() throws(DeviceError) -> [FormatDescription]
    /// Describes one size out of a range; nil if all sizes of the range are alike.
    func description(of size: FrameSize, in format: FourCC) -> FrameSizeDescription?
    /// Current format, with the size of the signal if the device receives one; default for what a request leaves open.
    func currentFormat() throws(DeviceError) -> CaptureFormat
    /// Sets input, video standard and DV timings, on which the available formats depend; only while not streaming.
    ///
    /// Returns the selected input, nil for a device without inputs. Throws ``DeviceError/noSignal(path:input:fault:)``
    /// if the input has no usable signal.
    func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus?
    /// Sets format and crop and returns what the driver granted, which may differ; only while not streaming.
    func configure(_ format: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat
    /// Requests, maps and queues buffers and starts the stream; returns the number of buffers granted.
    func start() throws(DeviceError) -> Int
    /// Dequeues all filled buffers, keeps the newest good one and requeues the others.
    func dequeue() throws(DeviceError) -> Drain
    /// Dequeues all pending events, oldest first; call it on POLLPRI, and if ``Drain/hasEvents`` is true.
    func events() throws(DeviceError) -> [DeviceEvent]
    /// Valid while the device is open.
    var controls: any ControlDriver { get }
    func reclaim() throws(DeviceError)
    /// Converter to an upright format the encoder can read, to be used on another thread; nil if none is needed.
    func makeConverter(for granted: GrantedFormat) throws(DeviceError) -> sending PixelConverter?
    /// True if the driver may write to buffers that are on lease, so that frames must be copied at once.
    var overwritesLentBuffers: Bool { get }
    /// Checked after copying a frame: the driver may have overwritten this buffer since it was dequeued.
    func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool
    /// Current exposure time per frame; nil if unknown or unreadable, as a stall limit can do without it.
    func exposureTime() -> Duration?
    /// Stops the stream and unmaps the buffers; leases stay readable until they are released.
    func stop()
}

extension CaptureDevice {
    package var tellsSourceChanges: Bool { false }
    package func description(of size: FrameSize, in format: FourCC) -> FrameSizeDescription? { nil }
    /// Default for devices without a node, which libv4lconvert has no entry for.
    package func makeConverter(for granted: GrantedFormat) throws(DeviceError) -> sending PixelConverter? {
        try PixelConverter.make(for: granted.layout, profile: ConverterProfile(identity))
    }
}

package struct GrantedFormat: Hashable, Sendable {
    /// Pixel format, size and frame interval as read back from the driver.
    package var format: CaptureFormat
    package var layout: PictureLayout
    /// Part of the picture that is delivered; nil for all of it.
    package var crop: CropRectangle?
}

/// Buffers to request: the newest is held, one older may be with the encoder, the rest are queued in the driver.
package let wantedBuffers = 5

/// Source: `VIDIOC_DQEVENT` of the V4L2 documentation.
package enum DeviceEvent: Hashable, Sendable {
    /// Signal changed, lost or back (`V4L2_EVENT_SOURCE_CHANGE`): the negotiated format is no longer valid.
    case sourceChanged
    /// `V4L2_EVENT_EOS`: the last frame has been delivered.
    case endOfStream
    /// `V4L2_EVENT_CTRL`. `value` is 0 for a compound control, nil if unchanged; `isRedefined`: query it again.
    case controlChanged(id: UInt32, value: Int64?, isRedefined: Bool)
}
