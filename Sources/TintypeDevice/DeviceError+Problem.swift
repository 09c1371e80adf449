// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension DeviceError {
    /// The error for the API, with a stable code and a remedy.
    package var problem: Problem {
        if case .unresolved(let problem) = self { return problem }
        var detail = description
        var cause: SignalFault?
        switch self {
        case .busy(_, _, by: let camera?): detail += " The camera \(camera) of this daemon is using it."
        case .busy(_, _, by: nil): detail += " Another program is using the camera."
        case .noSignal(_, _, let fault): cause = fault
        default: break
        }
        return Problem(code, detail, remedy: remedy, retryAfter: mayPass ? .seconds(1) : nil, cause: cause)
    }

    private var code: ProblemCode {
        switch self {
        case .unresolved(let problem): problem.code
        case .absent, .disconnected, .silent(_, isFirst: false): .deviceLost
        case .denied: .cameraDenied
        case .restricted: .cameraRestricted
        case .busy: .cameraBusy
        case .notVideo, .notCapture, .needsPipeline, .unsupported, .onlyVideo: .configurationUnsupported
        case .noSignal: .noSignal
        case .usbBandwidth: .usbBandwidth
        case .damaged: .corruptOnly
        case .silent(_, isFirst: true), .system: .cameraFault
        }
    }

    /// True if the error may pass without a change of configuration or permissions; clients are told to retry in a
    /// second.
    private var mayPass: Bool {
        switch self {
        case .absent, .busy, .disconnected, .noSignal, .damaged, .silent, .system: true
        case .unresolved, .denied, .restricted, .notVideo, .notCapture, .needsPipeline, .unsupported, .onlyVideo,
            .usbBandwidth:
            false
        }
    }

    private var remedy: String {
        switch self {
        case .unresolved(let problem): problem.remedy
        case .absent: "Plug the camera in; it is opened automatically then."
        case .denied(let path):
            "Let the daemon's user read and write \(path): usually by adding it to the group video and starting the daemon "
                + "again."
        case .restricted(let path):
            "Something other than the file's mode withholds \(path): allow it in the unit "
                + "(DeviceAllow=char-video4linux rw) or in the container."
        case .busy(_, _, by: let camera?):
            "Ask the camera \(camera), stop it first (“tintype stop \(camera)”), or let each camera of the configuration "
                + "name a device of its own."
        case .busy(let path, _, by: nil): "Find it with “tintype doctor” or “fuser -v \(path)”, as root, and stop it."
        case .disconnected(let path, _):
            "Check the cable and the port of \(path); the camera is opened again automatically."
        case .notVideo: "Choose a node that “tintype cameras” lists, such as /dev/video0."
        case .notCapture: "Choose a node that “tintype cameras” lists; many cameras have a second one for metadata."
        case .needsPipeline:
            "Let libcamera set it up: feed its pictures into v4l2loopback (gst-launch-1.0 libcamerasrc ! videoconvert ! "
                + "v4l2sink device=/dev/videoN), and use that node."
        case .unsupported: "See “tintype formats” for what the camera offers."
        case .onlyVideo:
            "Choose another node of it that offers MJPG or a raw format (“tintype cameras” lists them), or have another "
                + "program decode it into v4l2loopback."
        case .noSignal(_, _, let fault): fault.remedy
        case .usbBandwidth:
            "Choose MJPG, a smaller size or a lower rate, or move the camera to another USB controller."
        case .damaged(let path): "Check the cable, the USB hub and the power of the camera at \(path)."
        case .silent(_, isFirst: true):
            "The camera may be slow to start: it is given more time at each attempt, up to 15 s, so allow as much "
                + "(deadlineMs), or keep it open (warmth). Where no frame ever comes, plug it in again."
        case .silent(let path, isFirst: false):
            "See the kernel's log (sudo journalctl -k) about \(path); the camera is opened again automatically."
        case .system(let operation, let path, _):
            "The driver refused \(operation): see the kernel's log (sudo journalctl -k) about \(path), and plug the camera "
                + "in again if this lasts. It is tried again automatically."
        }
    }
}

extension SignalFault {
    fileprivate var remedy: String {
        switch self {
        case .noSignal: "Check that the source is on and its cable is in; the camera is tried again automatically."
        case .noLock: "Check cable and source; the signal may be weak, encrypted, or of another standard."
        case .outOfRange: "Set the source to a size and rate that the device can receive, such as 1920x1080 at 60 Hz."
        case .black, .uniform, .frozen: "Check the camera's lens and its light."
        }
    }
}
