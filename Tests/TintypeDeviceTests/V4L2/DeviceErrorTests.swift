// SPDX-License-Identifier: Apache-2.0
import CV4L2
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
        (EIO, .cameraFault, "VIDIOC_S_FMT on /dev/video7: input/output error."),
    ])
    func `maps errno to a problem with a remedy`(_ code: CInt, _ problem: ProblemCode, _ words: String) {
        check(DeviceError(operation: "VIDIOC_S_FMT", path: "/dev/video7", errno: code), problem, words)
    }

    @Test(arguments: [
        (DeviceError.notCapture(path: "/dev/video7", card: "Cam"), ProblemCode.configurationUnsupported, "(Cam)"),
        (.unsupported(path: "/dev/video7", reason: "No."), .configurationUnsupported, "No."),
        (.onlyVideo(path: "/dev/video7", formats: "H264, HEVC"), .configurationUnsupported, "alone: H264, HEVC"),
        (.usbBandwidth(path: "/dev/video7"), .usbBandwidth, "VIDIOC_STREAMON"),
        (.damaged(path: "/dev/video7"), .corruptOnly, "all damaged"),
        (.silent(path: "/dev/video7", isFirst: true), .cameraFault, "waiting for the first frame"),
        (.silent(path: "/dev/video7", isFirst: false), .deviceLost, "none has come any more"),
        (.busy(path: "/dev/video7", operation: "VIDIOC_S_FMT"), .cameraBusy, "Another program is using the camera."),
        (
            .busy(path: "/dev/video7", operation: "VIDIOC_S_FMT", by: "yard"), .cameraBusy,
            "The camera yard of this daemon is using it."
        ),
    ])
    func `maps every other failure to a problem code`(_ error: DeviceError, _ problem: ProblemCode, _ words: String) {
        check(error, problem, words)
    }

    @Test(arguments: [
        (SignalFault.noSignal, "has no signal"), (.noLock, "cannot lock to it"),
        (.outOfRange, "out of the device's range"),
    ])
    func `each signal fault has its own sentence and cause`(_ fault: SignalFault, _ words: String) {
        let error = DeviceError.noSignal(path: "/dev/video7", input: "HDMI 0", fault: fault)
        check(error, .noSignal, words)
        #expect(error.problem.detail.contains("HDMI 0"))
        #expect(error.problem.cause == fault)
    }

    @Test(arguments: [
        (V4L2_IN_ST_NO_POWER, SignalFault.noSignal), (V4L2_IN_ST_NO_SIGNAL, .noSignal), (V4L2_IN_ST_NO_H_LOCK, .noLock),
        (V4L2_IN_ST_NO_V_LOCK, .noLock), (V4L2_IN_ST_NO_SYNC, .noLock), (V4L2_IN_ST_COLOR_KILL, nil),
        (V4L2_IN_ST_HFLIP, nil), (0, nil),
    ])
    func `maps the input status to a signal fault`(_ status: Int32, _ fault: SignalFault?) {
        #expect(SignalFault(status: UInt32(status)) == fault)
    }

    @Test func `a busy node names the camera of this daemon that has it open`() async throws {
        try await DeviceStage.perform {
            let busy = DeviceError.busy(path: "/dev/null", operation: "VIDIOC_S_FMT")
            func open(_ camera: String?) throws(DeviceError) -> V4L2Node {
                try V4L2Node(path: "/dev/null", calls: DriverCalls(camera: camera))
            }
            do {
                // A query of the node's capabilities also opens it for a moment, but is not a camera.
                let asked = try open(nil)
                #expect(busy.naming(besides: "front") == busy)
                let yard = try open("yard")
                let front = try open("front")
                let named = busy.naming(besides: "front")
                let other = busy.naming(besides: "yard").problem.detail
                #expect(named == .busy(path: "/dev/null", operation: "VIDIOC_S_FMT", by: "yard"))
                #expect(other.hasSuffix("The camera front of this daemon is using it."))
                _ = (asked.descriptor, yard.descriptor, front.descriptor)
            }
            #expect(busy.naming(besides: "front") == busy)
        }
    }

    private func check(_ error: DeviceError, _ code: ProblemCode, _ words: String) {
        let problem = error.problem
        #expect(problem.code == code)
        #expect(problem.detail.contains(words), "\(problem.detail)")
        #expect(problem.detail.contains("/dev/video7"))
        #expect(problem.detail.hasSuffix("."))
        #expect(problem.remedy.hasSuffix("."))
    }

    @Test func `reports a missing node as absent even if errno changes afterwards`() async {
        let error = await #expect(throws: DeviceError.self) {
            try await DeviceStage.perform {
                let calls = DriverCalls { _, _ in errno = EAGAIN }
                _ = try V4L2Device(path: "/dev/video-none", calls: calls)
            }
        }
        #expect(error == .absent(path: "/dev/video-none"))
    }

    @Test func `maps the result of an open attempt to an authorization`() {
        #expect(CameraAuthorization(DeviceError.absent(path: "/dev/video7")) == .absent)
        #expect(CameraAuthorization(DeviceError.busy(path: "/dev/video7", operation: "open")) == .authorized)
        let denied = CameraAuthorization(DeviceError.denied(path: "/dev/video7"))
        #expect(denied.status == .denied && denied.remedy?.contains("group video") == true)
        #expect(CameraAuthorization(DeviceError.restricted(path: "/dev/video7")).status == .restricted)
    }
}
