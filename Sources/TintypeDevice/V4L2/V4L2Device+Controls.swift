// SPDX-License-Identifier: Apache-2.0
internal import CV4L2

extension V4L2Device {
    /// The controls of the node.
    package var controls: any ControlDriver {
        unsafe V4L2Controls(
            path: node.path,
            attempt: { call, request, argument in unsafe self.node.attempt(call, request, argument) },
            subscribe: { id in self.subscribe(to: V4L2_EVENT_CTRL, id: id) }
        )
    }

    /// The ioctl is `VIDIOC_G_CTRL` of `V4L2_CID_EXPOSURE_ABSOLUTE`, whose unit is 100 µs.
    package func exposureTime() -> Duration? {
        var control = v4l2_control()
        control.id = UInt32(V4L2_CID_EXPOSURE_ABSOLUTE)
        guard node.attempt(.control, CV4L2_G_CTRL, &control) == 0, control.value > 0 else { return nil }
        return .microseconds(Int64(control.value) * 100)
    }
}
