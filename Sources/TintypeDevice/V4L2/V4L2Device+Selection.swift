// SPDX-License-Identifier: Apache-2.0
internal import CV4L2

extension V4L2Device {
    /// Sets a rectangle of the device back to its default: what another program left there would cut the picture, or
    /// leave a part of the buffer unwritten.
    ///
    /// The ioctls are `VIDIOC_G_SELECTION` and `VIDIOC_S_SELECTION`. Most devices have no such rectangle and refuse
    /// both, which is no error.
    ///
    /// - Parameters:
    ///   - target: `V4L2_SEL_TGT_CROP` or `V4L2_SEL_TGT_COMPOSE`.
    ///   - default: the target that tells its default.
    func resetSelection(_ target: Int32, default: Int32) {
        var selection = v4l2_selection()
        // The single-planar type, also with the multi-planar API: older kernels know no other here.
        selection.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        selection.target = UInt32(`default`)
        guard node.attempt(.selection, CV4L2_G_SELECTION, &selection) == 0 else { return }
        selection.target = UInt32(target)
        selection.flags = 0
        _ = node.attempt(.selection, CV4L2_S_SELECTION, &selection)
    }
}
