// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

/// An open device, configured for a small picture; only on a device thread.
struct OpenDevice {
    let device: any CaptureDevice
    let input: InputStatus?
    let asked: CaptureFormat
    let granted: GrantedFormat

    /// Small enough for an emulated machine.
    static let smallWish = FormatWish(size: .near(FrameSize(width: 320, height: 180)))

    init(_ test: TestDevice, wish: FormatWish = OpenDevice.smallWish, input: InputWish = InputWish()) throws {
        let crop = input.crop
        device = try test.open()
        let input = try device.selectInput(input)
        self.input = input
        asked = try wish.cropped(to: crop).resolve(FormatOffer(of: device, input))
        granted = try device.configure(asked, crop: crop)
    }

    /// Opens the device and starts streaming.
    static func streaming(_ test: TestDevice) throws -> OpenDevice {
        let open = try OpenDevice(test)
        _ = try open.device.start()
        return open
    }

    /// Blocks until the next intact frame.
    func nextFrame() throws -> FrameLease {
        while true {
            var drain = try device.dequeue()
            if let lease = drain.newest.take() { return lease }
            _ = Waiting.untilReadable(device.descriptor)
        }
    }

    struct NoFrame: Error {
        let path: String
    }
}
