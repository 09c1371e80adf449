// SPDX-License-Identifier: Apache-2.0
import TintypeDevice
import TintypeModel

/// A device that is never asked for anything, for streams of which only the bookkeeping counts.
final class NoDevice: CaptureDevice {
    let identity = CameraIdentity(path: "/dev/null", card: "none", driver: "none", busInfo: "none")
    let descriptor: CInt = -1
    var clock = FrameClock()

    func formats() throws(DeviceError) -> [FormatDescription] { throw refusal }
    func currentFormat() throws(DeviceError) -> CaptureFormat { throw refusal }
    func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus? { throw refusal }
    func configure(_ format: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat { throw refusal }
    func start() throws(DeviceError) -> Int { throw refusal }
    func dequeue() throws(DeviceError) -> Drain { throw refusal }
    func events() throws(DeviceError) -> [DeviceEvent] { throw refusal }
    func reclaim() throws(DeviceError) { throw refusal }
    func stop() {}

    private var refusal: DeviceError { .unsupported(path: identity.path, reason: "It is no device.") }
}
