// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct V4L2StartingTests {
    /// A configured device with one input, whose `VIDIOC_STREAMON` fails with `refusal`, and its driver.
    private func device(_ refusal: CInt) throws -> (V4L2Device, FakeCameraIoctls) {
        let driver = FakeCameraIoctls()
        let stream = FakeStream(pages: 1)
        stream.refusal = refusal
        driver.stream = stream
        var timings = v4l2_bt_timings()
        (timings.width, timings.height) = (UInt32(FakeStream.pageSize), 1)
        driver.timings = timings
        let device = try driver.device()
        _ = try device.selectInput(InputWish())
        let size = FrameSize(width: FakeStream.pageSize, height: 1)
        _ = try device.configure(CaptureFormat(pixelFormat: .grey, size: size, interval: nil), crop: nil)
        return (device, driver)
    }

    @Test(arguments: [
        (ENOLINK, ProblemCode.configurationUnsupported, "behind an image processor"),
        (EPIPE, .cameraFault, "VIDIOC_STREAMON on /dev/fake: broken pipe."),
        (ENOLCK, .noSignal, "cannot lock to it"),
    ])
    func `a pipeline that is not set up is no missing signal`(_ refusal: CInt, _ code: ProblemCode, _ words: String)
        throws
    {
        let (device, _) = try device(refusal)
        let error = #expect(throws: DeviceError.self) { try device.start() }
        #expect(error?.problem.code == code)
        #expect(error?.problem.detail.contains(words) == true, "\(error?.problem.detail ?? "")")
    }

    @Test(arguments: [ENOLINK, EPIPE, EIO])
    func `a signal that has gone since the input was selected is told as that`(_ refusal: CInt) throws {
        let (device, driver) = try device(refusal)
        driver.status.after = UInt32(V4L2_IN_ST_NO_SIGNAL)
        let error = #expect(throws: DeviceError.self) { try device.start() }
        #expect(error?.problem.code == .noSignal)
        #expect(error?.problem.cause == .noSignal)
    }
}
