// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import TintypeModel

/// Asks a device all that can be asked without changing anything, and keeps the answers as the driver gave them.
///
/// Blocks in the driver; only on the device's thread, also while it streams. Throws only that the device is gone: any other
/// refusal is a part of the record.
struct DeviceRecorder {
    /// More entries than a list of any driver has.
    static let listLimit: UInt32 = 512

    let device: V4L2Device
    var record: DeviceRecord

    /// Records `device`.
    init(_ device: V4L2Device) throws(DeviceError) {
        self.device = device
        var capability = v4l2_capability()
        try device.node.perform(.queryCapability, CV4L2_QUERYCAP, &capability)
        let hasOwnFlags = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        record = DeviceRecord(
            driver: V4L2Node.text(of: capability.driver),
            card: V4L2Node.text(of: capability.card),
            busInfo: V4L2Node.text(of: capability.bus_info),
            capabilities: HexNumber(capability.capabilities)
        )
        record.deviceCapabilities = hasOwnFlags ? HexNumber(capability.device_caps) : nil
        record.version = HexNumber(capability.version)
        record.recordedBy = "tintype \(TintypeVersion.current)"
        record.usb = device.identity.usb
        record.manufacturer = device.identity.manufacturer
        record.product = device.identity.product
        record.serial = device.identity.serial
        try recordInputs()
        try recordFormats()
        try recordControls()
        var priority: CInt = 0
        if try ask(.priority, &priority) { record.priority = UInt32(bitPattern: priority) }
    }

    /// Asks, and notes the first refusal; EINVAL is none where it says that a list has ended (`isEnd`).
    mutating func ask<T>(_ query: RecordedQuery, _ argument: inout T, isEnd: Bool = false) throws(DeviceError) -> Bool {
        let code = device.node.attempt(query.call, query.request, &argument)
        guard code != 0 else { return true }
        let error = DeviceError(operation: query.rawValue, path: device.node.path, errno: code)
        if case .disconnected = error { throw error }
        if isEnd, code == EINVAL { return false }
        record.refusals = (record.refusals ?? [:]).merging([query.rawValue: Int(code)]) { first, _ in first }
        return false
    }

    // MARK: - Inputs

    private mutating func recordInputs() throws(DeviceError) {
        var selected: CInt = 0
        if try ask(.input, &selected) { record.input = UInt32(bitPattern: selected) }
        var inputs: [RecordedInput] = []
        for index in 0..<Self.listLimit {
            var item = v4l2_input()
            item.index = index
            guard try ask(.inputs, &item, isEnd: index > 0) else { break }
            inputs.append(RecordedInput(item))
        }
        if !inputs.isEmpty { record.inputs = inputs }
        var standards: [RecordedStandard] = []
        for index in 0..<Self.listLimit {
            var item = v4l2_standard()
            item.index = index
            guard try ask(.standards, &item, isEnd: index > 0) else { break }
            standards.append(RecordedStandard(item))
        }
        if !standards.isEmpty { record.standards = standards }
        var id: v4l2_std_id = 0
        if try ask(.standard, &id) { record.standard = HexNumber(id) }
        id = 0
        if try ask(.receivedStandard, &id) { record.receivedStandard = HexNumber(id) }
        var timings = v4l2_dv_timings()
        if try ask(.timings, &timings) { record.timings = RecordedTimings(timings.bt) }
        timings = v4l2_dv_timings()
        if try ask(.receivedTimings, &timings) { record.receivedTimings = RecordedTimings(timings.bt) }
    }

    // MARK: - Controls

    private mutating func recordControls() throws(DeviceError) {
        let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) | UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
        var last: UInt32 = 0
        var controls: [RecordedControl] = []
        for _ in 0..<Self.listLimit {
            var query = v4l2_query_ext_ctrl()
            query.id = last | next
            guard try ask(.controls, &query, isEnd: last != 0), query.id > last else { break }
            last = query.id
            controls.append(RecordedControl(RawControl(query)))
        }
        let known = try DeviceControls(of: device).all()
        // Those that a driver has and does not list, and all of one that knows the older ioctl only.
        let listed = Set(controls.map(\.id.low))
        for control in known where !listed.contains(control.id) {
            var query = v4l2_queryctrl()
            query.id = control.id
            guard device.node.attempt(.queryControl, CV4L2_QUERYCTRL, &query) == 0 else { continue }
            controls.append(RecordedControl(RawControl(query)))
        }
        for index in controls.indices {
            guard let control = known.first(where: { $0.id == controls[index].id.low }) else { continue }
            controls[index].menu = control.menu.isEmpty ? nil : control.menu
            controls[index].value = control.value
        }
        record.controls = controls
    }
}
