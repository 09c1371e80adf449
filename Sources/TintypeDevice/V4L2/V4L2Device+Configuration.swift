// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

extension V4L2Device {
    /// The ioctls are `VIDIOC_G_FMT` and `VIDIOC_G_PARM`.
    package func currentFormat() throws(DeviceError) -> CaptureFormat {
        try followInput()
        var format = unsafe v4l2_format()
        unsafe format.type = bufferType.rawValue
        unsafe try node.perform(.setFormat, CV4L2_G_FMT, &format)
        return unsafe CaptureFormat(
            pixelFormat: FourCC(rawValue: format.pixelFormat(isMultiPlanar)),
            size: format.size(isMultiPlanar),
            interval: interval(CV4L2_G_PARM, wish: nil)
        )
    }

    /// The ioctls are `VIDIOC_TRY_FMT`, `VIDIOC_S_FMT` and `VIDIOC_S_PARM`; what they read back is what counts.
    package func configure(_ wish: CaptureFormat) throws(DeviceError) -> GrantedFormat {
        var format = unsafe v4l2_format()
        unsafe format.type = bufferType.rawValue
        unsafe format.set(wish, isMultiPlanar)
        var trial = unsafe format
        // Drivers may lack TRY_FMT (ENOTTY); S_FMT tells as well then.
        if unsafe node.attempt(.tryFormat, CV4L2_TRY_FMT, &trial) == 0 {
            unsafe try refuse(unless: wish, FourCC(rawValue: trial.pixelFormat(isMultiPlanar)))
        }
        resetSelection(V4L2_SEL_TGT_CROP, default: V4L2_SEL_TGT_CROP_DEFAULT)
        unsafe try node.perform(.setFormat, CV4L2_S_FMT, &format)
        resetSelection(V4L2_SEL_TGT_COMPOSE, default: V4L2_SEL_TGT_COMPOSE_DEFAULT)
        unsafe try refuse(unless: wish, FourCC(rawValue: format.pixelFormat(isMultiPlanar)))
        guard unsafe format.planeCount(isMultiPlanar) == 1 else {
            throw .unsupported(path: node.path, reason: "\(wish.pixelFormat) comes in several buffers here.")
        }
        var layout = unsafe format.layout(isMultiPlanar)
        if let least = layout.minimumBytesPerRow, layout.bytesPerRow < least { layout.bytesPerRow = least }
        let result = GrantedFormat(
            format: CaptureFormat(
                pixelFormat: layout.pixelFormat,
                size: layout.size,
                interval: interval(CV4L2_S_PARM, wish: wish.interval) ?? interval(CV4L2_G_PARM, wish: nil)
            ),
            layout: layout
        )
        granted = result
        return result
    }

    private func refuse(unless wish: CaptureFormat, _ answer: FourCC) throws(DeviceError) {
        guard answer != wish.pixelFormat else { return }
        throw .unsupported(
            path: node.path,
            reason: "the driver answers \(answer) to a wish for \(wish.pixelFormat)."
        )
    }

    private func interval(_ request: UInt, wish: FrameInterval?) -> FrameInterval? {
        var parameters = v4l2_streamparm()
        parameters.type = bufferType.rawValue
        if let wish {
            unsafe parameters.parm.capture.timeperframe = v4l2_fract(
                numerator: wish.numerator,
                denominator: wish.denominator
            )
        } else if request == CV4L2_S_PARM {
            return nil
        }
        // A device without a rate of its own refuses or leaves zeros; neither is an error.
        guard node.attempt(.parameters, request, &parameters) == 0 else { return nil }
        return unsafe FrameInterval(parameters.parm.capture.timeperframe)
    }

    /// Refuses an input without a signal, and sets the timings that a digital input receives.
    ///
    /// The ioctls are `VIDIOC_G_INPUT`, `VIDIOC_ENUMINPUT`, `VIDIOC_QUERY_DV_TIMINGS` and `VIDIOC_S_DV_TIMINGS`.
    private func followInput() throws(DeviceError) {
        var index: CInt = 0
        var input = v4l2_input()
        guard node.attempt(.input, CV4L2_G_INPUT, &index) == 0 else { return }
        input.index = UInt32(index)
        guard node.attempt(.input, CV4L2_ENUMINPUT, &input) == 0 else { return }
        let name = V4L2Node.text(of: input.name)
        if input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0 {
            var timings = v4l2_dv_timings()
            let code = node.attempt(.input, CV4L2_QUERY_DV_TIMINGS, &timings)
            if [ENOLINK, ENOLCK, ERANGE].contains(code) { throw .noSignal(path: node.path, input: name) }
            if code == 0 { try node.perform(.input, CV4L2_S_DV_TIMINGS, &timings) }
        }
        if input.status & UInt32(V4L2_IN_ST_NO_SIGNAL) != 0 { throw .noSignal(path: node.path, input: name) }
    }
}
