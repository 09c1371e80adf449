// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel
package import TintypeSystem

package enum DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The configuration matches no camera, or several; the problem gives the details.
    case unresolved(Problem)
    /// The node does not exist (ENOENT, ENXIO).
    case absent(path: String)
    /// Denied by the node's owner, group or mode (EACCES).
    case denied(path: String)
    /// Denied by something other than the node's mode (EPERM): the device policy of the unit or a container.
    case restricted(path: String)
    /// The camera is in use (EBUSY): by the camera `by` of this daemon, or by another program if nil.
    case busy(path: String, operation: String, by: String? = nil)
    /// The camera was removed (ENODEV, ESHUTDOWN).
    case disconnected(path: String, operation: String)
    case notVideo(path: String)
    /// The node does not support video capture with streaming.
    case notCapture(path: String, card: String)
    /// The node is behind an image processor that userspace must configure first.
    case needsPipeline(path: String, card: String, driver: String)
    /// `reason` is a sentence.
    case unsupported(path: String, reason: String)
    /// The device only offers compressed video, from which no single picture can be taken.
    case onlyVideo(path: String, formats: String)
    /// ENOLINK, ENOLCK and ERANGE of `VIDIOC_QUERY_DV_TIMINGS`, or the status of the input.
    case noSignal(path: String, input: String, fault: SignalFault)
    /// ENOSPC from `VIDIOC_STREAMON`.
    case usbBandwidth(path: String)
    case damaged(path: String)
    /// No frames arrive: not even the first one, or no more.
    case silent(path: String, isFirst: Bool)
    case system(operation: String, path: String, errno: CInt)

    package init(operation: String, path: String, errno code: CInt) {
        self =
            switch code {
            case ENOENT, ENXIO: .absent(path: path)
            case EISDIR: .notVideo(path: path)
            case EACCES: .denied(path: path)
            case EPERM: .restricted(path: path)
            case EBUSY: .busy(path: path, operation: operation)
            case ENODEV, ESHUTDOWN: .disconnected(path: path, operation: operation)
            default: .system(operation: operation, path: path, errno: code)
            }
    }

    /// A thread or descriptor that the system refuses for the camera at `path`.
    package init(_ error: ResourceError, path: String) {
        self = .system(operation: error.call, path: path, errno: error.code)
    }

    /// Maps the errno of `VIDIOC_STREAMON`, which gives some codes a meaning of their own.
    ///
    /// ENOLINK: the links of a media pipeline are not set up; it is not about the signal. EPIPE: formats do not match,
    /// or a USB camera failed to start. Source: "ioctl VIDIOC_STREAMON, VIDIOC_STREAMOFF"; usb_submit_urb() for ENOSPC.
    package static func streamOn(_ camera: CameraIdentity, input: String, errno code: CInt) -> DeviceError {
        switch code {
        case ENOSPC: .usbBandwidth(path: camera.path)
        case ENOLINK: .needsPipeline(path: camera.path, card: camera.card, driver: camera.driver)
        case ENOLCK: .noSignal(path: camera.path, input: input, fault: .noLock)
        default: DeviceError(operation: "VIDIOC_STREAMON", path: camera.path, errno: code)
        }
    }

    /// One sentence with the operation, the path and the text of the errno.
    package var description: String {
        switch self {
        case .unresolved(let problem): problem.detail
        case .absent(let path): "There is no camera at \(path)."
        case .denied(let path): "open \(path): permission denied."
        case .restricted(let path): "open \(path): operation not permitted."
        case .busy(let path, let operation, _): "\(operation) on \(path): device or resource busy."
        case .disconnected(let path, let operation): "\(operation) on \(path): the device is gone."
        case .notVideo(let path): "\(path) is not a video device."
        case .notCapture(let path, let card): "\(path) (\(card)) does not capture video."
        case .needsPipeline(let path, let card, let driver):
            "\(path) (\(card), driver \(driver)) is behind an image processor, which gives no picture before a program has "
                + "set it up."
        case .unsupported(let path, let reason): "\(path): \(reason)"
        case .onlyVideo(let path, let formats): "\(path): the camera offers compressed video alone: \(formats)."
        case .noSignal(let path, let input, .noSignal): "\(path): the input \(input) has no signal."
        case .noSignal(let path, let input, .noLock):
            "\(path): the input \(input) has a signal, and the device cannot lock to it."
        case .noSignal(let path, let input, .outOfRange):
            "\(path): the input \(input) has a signal that is out of the device's range."
        // Other faults are detected in pictures, never reported by a device.
        case .noSignal(let path, let input, let fault):
            "\(path): the input \(input) gives no picture (\(fault.rawValue))."
        case .usbBandwidth(let path): "VIDIOC_STREAMON on \(path): not enough USB bandwidth."
        case .damaged(let path): "The frames that come from \(path) are all damaged."
        case .silent(let path, isFirst: true): "waiting for the first frame of \(path): none has come."
        case .silent(let path, isFirst: false): "waiting for a frame of \(path): none has come any more."
        case .system(let operation, let path, let code):
            "\(operation) on \(path): \(ErrnoText.of(code))."
        }
    }

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
        let retryAfter: Duration? = Self.passing.contains(code) ? .seconds(1) : nil
        return Problem(code, detail, remedy: remedy, retryAfter: retryAfter, cause: cause)
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

    /// Codes of errors that may pass without a change of configuration or permissions; clients retry in a second then.
    private static let passing: Set<ProblemCode> = [.deviceLost, .cameraBusy, .noSignal, .corruptOnly, .cameraFault]

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
                + "(deadlineMs), or keep it open (warmth). One that needs longer, or waits for a trigger, needs firstFrame "
                + "or stall: off in tintyped's configuration. Where no frame ever comes, plug it in again."
        case .silent(let path, isFirst: false):
            "See the kernel's log (sudo journalctl -k) about \(path); the camera is opened again automatically. One that "
                + "waits for a trigger needs stall: off in tintyped's configuration."
        case .system(let operation, let path, let code):
            ResourceError.remedy(call: operation, code: code)
                ?? "The driver refused \(operation): see the kernel's log (sudo journalctl -k) about \(path), and plug the "
                + "camera in again if this lasts. It is tried again automatically."
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
