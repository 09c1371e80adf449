// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

extension DeviceError {
    /// The error of a `VIDIOC_STREAMON` that set `errno` to `code`: two codes have a meaning of their own there.
    ///
    /// Source: "ioctl VIDIOC_STREAMON, VIDIOC_STREAMOFF" of the V4L2 documentation; usb_submit_urb() for ENOSPC.
    package static func streamOn(path: String, input: String, errno code: CInt) -> DeviceError {
        switch code {
        case ENOSPC: .usbBandwidth(path: path)
        case ENOLINK: .noSignal(path: path, input: input, fault: .noSignal)
        case ENOLCK: .noSignal(path: path, input: input, fault: .noLock)
        default: DeviceError(operation: "VIDIOC_STREAMON", path: path, errno: code)
        }
    }
}
