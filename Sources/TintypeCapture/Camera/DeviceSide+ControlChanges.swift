// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

/// What others do to a camera's controls, and to its privacy shutter.
extension DeviceSide {
    /// Counts, publishes and logs changes that were not made through us (`V4L2_EVENT_CTRL`).
    func recordForeignChanges(_ events: [DeviceEvent], of device: any CaptureDevice) throws(DeviceError) {
        for case .controlChanged(let id, let number, _) in events {
            if id == ControlNumber.privacy { shutterIs(closed: number != 0) }
            guard let camera, var control = camera.controls.known?[id], control.type != .button,
                control.type != .compound
            else {
                continue
            }
            let value = try Self.value(number, of: control, at: device)
            // An event may tell of flags and ranges only, or of what we have set ourselves.
            guard let value, value != control.value else { continue }
            let change = ControlChange(name: control.name, from: control.value, to: value, at: .now())
            control.value = value
            camera.controls.known?[id] = control
            context.publishControls { status in
                status.foreignChanges += 1
                status.lastForeignChange = change
            }
            logger.notice(
                "the control \(change.name) was changed by another program or by the camera",
                metadata: [
                    "control": "\(change.name)", "from": "\(change.from?.description ?? "")", "to": "\(change.to)",
                ]
            )
        }
    }

    private static func value(
        _ number: Int64,
        of control: ControlDescription,
        at device: any CaptureDevice
    ) throws(DeviceError) -> ControlValue? {
        switch control.type {
        case .boolean: .boolean(number != 0)
        case .bitmask: .integer(Int64(UInt32(truncatingIfNeeded: number)))
        case .string: try DeviceControls(of: device).value(of: control)
        default: .integer(number)
        }
    }

    /// Asks the device whether its shutter is closed.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - isNew: it was just opened: what is known is of the one before it.
    /// - Throws: that the device is gone.
    func readShutter(of device: any CaptureDevice, isNew: Bool = false) throws(DeviceError) {
        context.publishControls { _ in }
        shutter.ask(now: .now())
        do throws(DeviceError) {
            if let isClosed = try DeviceControls(of: device).watchShutter() {
                shutterIs(closed: isClosed)
            } else {
                forgetShutter()
            }
        } catch {
            if case .disconnected = error { throw error }
            // What it was when this device was last asked holds on.
            if isNew { forgetShutter() }
            logger.debug("the privacy shutter cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// The camera has no shutter: what a former one in its place had is over.
    private func forgetShutter() {
        shutter.forget()
        hub.update { $0.controls?.isShutterClosed = nil }
    }

    func shutterIs(closed isClosed: Bool) {
        context.publishControls { $0.isShutterClosed = isClosed }
        guard shutter.set(closed: isClosed, now: .now()) else { return }
        if isClosed { hub.forgetFrames() }
        logger.notice(isClosed ? "the privacy shutter is closed" : "the privacy shutter is open")
    }

    /// Tells waiting clients that the shutter is closed, if it is: by the driver interface no picture can be taken
    /// then, and a dark one is none.
    ///
    /// - Returns: whether it is closed, or the device was lost when it was asked.
    func refuseBehindShutter() -> Bool {
        guard shutter.isClosed else { return false }
        guard hub.isAwaited else { return true }
        do throws(DeviceError) {
            try rereadShutter()
        } catch {
            fail(error)
            return true
        }
        guard shutter.isClosed else { return false }
        hub.fail(
            Problem(
                .noSignal,
                "The privacy shutter of the camera \(context.name) is closed: its pictures would be dark.",
                remedy: "Open the shutter, or press the camera's privacy key; where the camera lets itself be told, "
                    + "“tintype controls set \(context.name) privacy=off” opens it.",
                retryAfter: .seconds(1)
            )
        )
        return true
    }

    /// Asks for the shutter again, once a second at most: not every driver tells that it was opened.
    private func rereadShutter() throws(DeviceError) {
        guard let device = camera?.device, shutter.isToBeAsked(now: .now()) else { return }
        try readShutter(of: device)
    }
}
