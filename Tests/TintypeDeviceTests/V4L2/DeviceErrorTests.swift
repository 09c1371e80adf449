// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct DeviceErrorTests {
    @Test(arguments: [
        (ENOENT, ProblemCode.deviceLost, "There is no camera at /dev/video7."),
        (ENXIO, .deviceLost, "There is no camera"), (EACCES, .cameraDenied, "permission denied"),
        (EPERM, .cameraRestricted, "operation not permitted"),
        (EBUSY, .cameraBusy, "VIDIOC_S_FMT on /dev/video7: device or resource busy."),
        (ENODEV, .deviceLost, "VIDIOC_S_FMT on /dev/video7: the device is gone."),
        (EIO, .deviceLost, "VIDIOC_S_FMT on /dev/video7: input/output error."),
    ])
    func `an errno becomes a problem with a remedy`(_ code: CInt, _ problem: ProblemCode, _ words: String) {
        check(DeviceError(operation: "VIDIOC_S_FMT", path: "/dev/video7", errno: code), problem, words)
    }

    @Test(arguments: [
        (DeviceError.notCapture(path: "/dev/video7", card: "Cam"), ProblemCode.configurationUnsupported, "(Cam)"),
        (.unsupported(path: "/dev/video7", reason: "No."), .configurationUnsupported, "No."),
        (.noSignal(path: "/dev/video7", input: "HDMI 0"), .noSignal, "HDMI 0"),
        (.usbBandwidth(path: "/dev/video7"), .usbBandwidth, "VIDIOC_STREAMON"),
    ])
    func `every other failure has its own code`(_ error: DeviceError, _ problem: ProblemCode, _ words: String) {
        check(error, problem, words)
    }

    private func check(_ error: DeviceError, _ code: ProblemCode, _ words: String) {
        let problem = error.problem
        #expect(problem.code == code)
        #expect(problem.detail.contains(words), "\(problem.detail)")
        #expect(problem.detail.contains("/dev/video7"))
        #expect(problem.detail.hasSuffix("."))
        #expect(problem.remedy.hasSuffix("."))
    }

    @Test func `a node that is not there is absent`() async {
        let error = await #expect(throws: DeviceError.self) {
            try await DeviceStage.perform { _ = try V4L2Device(path: "/dev/video-none", calls: DriverCalls()) }
        }
        #expect(error == .absent(path: "/dev/video-none"))
    }

    @Test func `a file that is no video device is an error of QUERYCAP`() async {
        let error = await #expect(throws: DeviceError.self) {
            try await DeviceStage.perform { _ = try V4L2Device(path: "/dev/null", calls: DriverCalls()) }
        }
        #expect(error == .system(operation: "VIDIOC_QUERYCAP", path: "/dev/null", errno: ENOTTY))
    }

    @Test func `what an attempt to open says is an authorization`() {
        #expect(CameraAuthorization(DeviceError.absent(path: "/dev/video7")) == .absent)
        #expect(CameraAuthorization(DeviceError.busy(path: "/dev/video7", operation: "open")) == .authorized)
        guard case .denied(let remedy) = CameraAuthorization(DeviceError.denied(path: "/dev/video7")) else {
            Issue.record("EACCES is not denied")
            return
        }
        #expect(remedy.contains("group video"))
        guard case .restricted = CameraAuthorization(DeviceError.restricted(path: "/dev/video7")) else {
            Issue.record("EPERM is not restricted")
            return
        }
    }
}
