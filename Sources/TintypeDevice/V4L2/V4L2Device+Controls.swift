// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

extension V4L2Device {
    /// The controls of the node.
    package var controls: any ControlDriver {
        unsafe V4L2Controls(
            path: node.path,
            attempt: { call, request, argument in
                let descriptor = self.node.descriptor
                return self.node.calls.during(call) {
                    while unsafe cv4l2_ioctl(descriptor, request, argument) != 0 {
                        guard errno == EINTR else { return errno }
                    }
                    return 0
                }
            },
            subscribe: { id in self.subscribe(to: V4L2_EVENT_CTRL, id: id) }
        )
    }
}
