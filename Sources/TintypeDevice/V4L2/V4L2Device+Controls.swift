// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

extension V4L2Device {
    /// The controls of the node.
    package var controls: any ControlDriver {
        unsafe V4L2Controls(
            path: node.path,
            attempt: { call, request, argument in unsafe self.node.attempt(call, request, argument) },
            subscribe: { id in self.subscribe(to: V4L2_EVENT_CTRL, id: id) }
        )
    }

    /// The control is `V4L2_CID_EXPOSURE_ABSOLUTE`.
    package func exposureTime() -> Duration? {
        let values = try? ControlReader([ControlNumber.exposureAbsolute], of: self).read()
        return values.flatMap(CameraReading.exposureTime)
    }
}
