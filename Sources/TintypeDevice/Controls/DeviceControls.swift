// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// The controls of an open device: read with their values, set in the order that they depend on each other, read back.
///
/// What the driver refuses of one control is that control's outcome, and the others are set all the same; only a device
/// that is gone ends it. Blocks in the driver; only on the device's thread.
package struct DeviceControls {
    let driver: any ControlDriver

    /// The controls of `device`.
    package init(of device: any CaptureDevice) { driver = device.controls }

    init(_ driver: any ControlDriver) { self.driver = driver }

    /// Every control with its value, in the driver's order; of one that cannot be read without.
    package func all() throws(DeviceError) -> [ControlDescription] { try valued { _ in true } }

    /// Every control with the value that it last had; values that change by themselves are not read.
    package func lasting() throws(DeviceError) -> [ControlDescription] { try valued { !$0.has(.volatile) } }

    private func valued(where isRead: (ControlDescription) -> Bool) throws(DeviceError) -> [ControlDescription] {
        var controls = try named()
        for index in controls.indices where isRead(controls[index]) {
            controls[index].value = try value(of: controls[index])
        }
        return controls
    }

    /// Whether the privacy shutter is closed, and changes of that from now on; nil where the device tells of none.
    ///
    /// The control is `V4L2_CID_PRIVACY`. Throws where the device has it and does not say how it stands.
    package func watchShutter() throws(DeviceError) -> Bool? {
        let known = ControlDescription(
            id: ControlNumber.privacy,
            title: "Privacy",
            controlClass: "camera_controls",
            type: .boolean,
            maximum: 1
        )
        do throws(ControlFailure) {
            let control = try driver.describe(known)
            guard !control.has(.disabled), control.type == .boolean else { return nil }
            _ = driver.watch(control.id)
            return try driver.read(control) == .boolean(true)
        } catch {
            // There is no such control, or there are none at all.
            if error.code == EINVAL || error.code == ENOTTY { return nil }
            try throwIfGone(error)
            throw .system(operation: error.call.name, path: driver.path, errno: error.code)
        }
    }

    /// Has the driver tell changes of those `controls` that others can set, as far as it can.
    ///
    /// What can only be read the camera reports of itself, some of it with every frame; the privacy shutter is watched
    /// by ``watchShutter()``. What is volatile now may last later, such as a gain once its automatic is off.
    package func watch(_ controls: [ControlDescription]) {
        for control in controls where !control.has(.readOnly) && !control.has(.disabled) {
            guard control.type != .button, control.type != .compound else { continue }
            _ = driver.watch(control.id)
        }
    }

    // MARK: - Parts

    func named() throws(DeviceError) -> [ControlDescription] { try driver.list().withNamesOfTheirOwn }

    /// A control with the range and flags that it has now, and with the name and value that are known of it; as it was
    /// where the driver does not say.
    package func refreshed(_ known: ControlDescription) throws(DeviceError) -> ControlDescription {
        do throws(ControlFailure) {
            var control = try driver.describe(known)
            (control.name, control.value) = (known.name, known.value)
            return control
        } catch {
            try throwIfGone(error)
            return known
        }
    }

    /// The value of a control; nil where it has none or refuses.
    package func value(of control: ControlDescription) throws(DeviceError) -> ControlValue? {
        guard control.type != .button, control.type != .compound else { return nil }
        guard !control.has(.writeOnly), !control.has(.disabled) else { return nil }
        do throws(ControlFailure) {
            return try driver.read(control)
        } catch {
            try throwIfGone(error)
            return nil
        }
    }

    /// A device that is gone is no matter of one control.
    func throwIfGone(_ failure: ControlFailure) throws(DeviceError) {
        let error = DeviceError(operation: failure.call.name, path: driver.path, errno: failure.code)
        if case .disconnected = error { throw error }
    }
}
