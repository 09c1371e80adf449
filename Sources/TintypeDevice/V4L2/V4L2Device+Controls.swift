// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

extension V4L2Device {
    package var controls: any ControlDriver {
        unsafe V4L2Controls(
            path: node.path,
            attempt: { call, request, argument in unsafe self.node.attempt(call, request, argument) },
            subscribe: { id in self.subscribe(to: V4L2_EVENT_CTRL, id: id) }
        )
    }

    /// Reads `V4L2_CID_EXPOSURE_ABSOLUTE`.
    package func exposureTime() -> Duration? {
        let values = try? ControlReader([ControlNumber.exposureAbsolute], of: self).read()
        return values.flatMap(CameraReading.exposureTime)
    }
}

extension V4L2Device {
    /// `VIDIOC_G_INPUT`, `VIDIOC_ENUMINPUT` and `VIDIOC_QUERYCTRL`: orientation of the sensor, and support for flipping
    /// in the driver.
    package func makeConverter(for granted: GrantedFormat) throws(DeviceError) -> sending PixelConverter? {
        let status = currentInput.flatMap { description(of: $0) }?.status ?? 0
        var controls: Set<UInt32> = []
        for id in ConverterProfile.knownControls {
            var control = v4l2_queryctrl()
            control.id = UInt32(id)
            guard node.attempt(.queryControl, CV4L2_QUERYCTRL, &control) == 0,
                control.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0
            else { continue }
            controls.insert(UInt32(id))
        }
        let profile = ConverterProfile(identity, path: node.path, inputStatus: status, controls: controls)
        return try PixelConverter.make(for: granted.layout, profile: profile)
    }
}
