// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension DeviceError {
    /// The error as the API tells it: with a stable code and a remedy.
    package var problem: Problem {
        switch self {
        case .unresolved(let problem): problem
        case .absent:
            Problem(
                .deviceLost,
                description,
                remedy: "Plug the camera in; it is opened automatically then.",
                retryAfter: .seconds(1)
            )
        case .denied(let path):
            Problem(
                .cameraDenied,
                description,
                remedy: "Let the daemon's user read and write \(path): usually by adding it to the group video and "
                    + "starting the daemon again."
            )
        case .restricted(let path):
            Problem(
                .cameraRestricted,
                description,
                remedy: "Something other than the file's mode withholds \(path): allow it in the unit "
                    + "(DeviceAllow=char-video4linux rw) or in the container."
            )
        case .busy(_, _, by: let camera?):
            Problem(
                .cameraBusy,
                description + " The camera \(camera) of this daemon is using it.",
                remedy: "Ask the camera \(camera), stop it first (“tintype stop \(camera)”), or let each camera of the "
                    + "configuration name a device of its own.",
                retryAfter: .seconds(1)
            )
        case .busy(let path, _, by: nil):
            Problem(
                .cameraBusy,
                description + " Another program is using the camera.",
                remedy: "Find it with “tintype doctor” or “fuser -v \(path)”, as root, and stop it.",
                retryAfter: .seconds(1)
            )
        case .disconnected(let path, _):
            Problem(
                .deviceLost,
                description,
                remedy: "Check the cable and the port of \(path); the camera is opened again automatically.",
                retryAfter: .seconds(1)
            )
        case .notVideo:
            Problem(
                .configurationUnsupported,
                description,
                remedy: "Choose a node that “tintype cameras” lists, such as /dev/video0."
            )
        case .notCapture:
            Problem(
                .configurationUnsupported,
                description,
                remedy: "Choose a node that “tintype cameras” lists; many cameras have a second one for metadata."
            )
        case .needsPipeline:
            Problem(
                .configurationUnsupported,
                description,
                remedy: "Let libcamera set it up: feed its pictures into v4l2loopback (gst-launch-1.0 libcamerasrc ! "
                    + "videoconvert ! v4l2sink device=/dev/videoN), and use that node."
            )
        case .unsupported:
            Problem(
                .configurationUnsupported,
                description,
                remedy: "See “tintype formats” for what the camera offers."
            )
        case .onlyVideo:
            Problem(
                .configurationUnsupported,
                description,
                remedy: "Choose another node of it that offers MJPG or a raw format (“tintype cameras” lists them), or "
                    + "have another program decode it into v4l2loopback."
            )
        case .noSignal(_, _, let fault):
            Problem(.noSignal, description, remedy: fault.remedy, retryAfter: .seconds(1), cause: fault)
        case .usbBandwidth:
            Problem(
                .usbBandwidth,
                description,
                remedy: "Choose MJPG, a smaller size or a lower rate, or move the camera to another USB controller."
            )
        case .damaged(let path):
            Problem(
                .corruptOnly,
                description,
                remedy: "Check the cable, the USB hub and the power of the camera at \(path).",
                retryAfter: .seconds(1)
            )
        case .silent(_, isFirst: true):
            Problem(
                .cameraFault,
                description,
                remedy: "The camera may be slow to start: it is given more time at each attempt, up to 15 s, so allow "
                    + "as much (deadlineMs), or keep it open (warmth). Where no frame ever comes, plug it in again.",
                retryAfter: .seconds(1)
            )
        case .silent(let path, isFirst: false):
            Problem(
                .deviceLost,
                description,
                remedy:
                    "See the kernel's log (sudo journalctl -k) about \(path); the camera is opened again automatically.",
                retryAfter: .seconds(1)
            )
        case .system(let operation, let path, _):
            Problem(
                .cameraFault,
                description,
                remedy:
                    "The driver refused \(operation): see the kernel's log (sudo journalctl -k) about \(path), and plug "
                    + "the camera in again if this lasts. It is tried again automatically.",
                retryAfter: .seconds(1)
            )
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
