// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

extension V4L2Device {
    /// Resets a selection rectangle to its default (`VIDIOC_G_SELECTION`, `VIDIOC_S_SELECTION`).
    ///
    /// A rectangle left by another program would crop the picture, or leave a part of the buffer unwritten. Most
    /// devices have none and reject both ioctls, which is not an error.
    ///
    /// - Parameters:
    ///   - target: `V4L2_SEL_TGT_CROP` or `V4L2_SEL_TGT_COMPOSE`.
    ///   - default: target of its default rectangle.
    /// - Returns: true if the rectangle was changed.
    @discardableResult
    func resetSelection(_ target: Int32, default: Int32) -> Bool {
        var selection = v4l2_selection()
        // The single-planar type also for the multi-planar API: older kernels accept no other here.
        selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        selection.target = UInt32(`default`)
        guard node.attempt(.selection, CV4L2_G_SELECTION, &selection) == 0 else { return false }
        selection.target = UInt32(target)
        selection.flags = 0
        var present = selection
        if node.attempt(.selection, CV4L2_G_SELECTION, &present) == 0, present.r == selection.r { return false }
        return node.attempt(.selection, CV4L2_S_SELECTION, &selection) == 0
    }

    /// Sets the crop rectangle and returns the one granted by the driver.
    ///
    /// `VIDIOC_S_SELECTION` with `V4L2_SEL_TGT_CROP`. Throws ``DeviceError/unsupported(path:reason:)`` if the device
    /// has no crop rectangle.
    func select(_ crop: CropRectangle) throws(DeviceError) -> CropRectangle {
        var selection = v4l2_selection()
        selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        selection.target = UInt32(V4L2_SEL_TGT_CROP)
        selection.r = v4l2_rect(
            left: Int32(clamping: crop.left),
            top: Int32(clamping: crop.top),
            width: UInt32(clamping: crop.size.width),
            height: UInt32(clamping: crop.size.height)
        )
        switch node.attempt(.selection, CV4L2_S_SELECTION, &selection) {
        case 0: break
        // ENOTTY: no such ioctl; EINVAL: no such target; ERANGE: cannot be met.
        case ENOTTY, EINVAL, ENODATA, ERANGE:
            throw unsupported("the device cannot deliver the part \(crop) of its picture.")
        case let code: throw DeviceError(operation: "VIDIOC_S_SELECTION", path: node.path, errno: code)
        }
        return CropRectangle(
            size: FrameSize(width: Int(selection.r.width), height: Int(selection.r.height)),
            left: Int(selection.r.left),
            top: Int(selection.r.top)
        )
    }
}

extension v4l2_rect {
    fileprivate static func == (one: v4l2_rect, other: v4l2_rect) -> Bool {
        (one.left, one.top, one.width, one.height) == (other.left, other.top, other.width, other.height)
    }
}
