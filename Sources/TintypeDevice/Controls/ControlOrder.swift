// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum ControlOrder {
    /// The controls in stages that are set one after the other: what one of them makes possible comes after it.
    ///
    /// First the switches of automatics, for a manual value is of no effect while its automatic is on; then controls
    /// that change others (`V4L2_CTRL_FLAG_UPDATE`, `V4L2_CTRL_FLAG_MODIFY_LAYOUT`); then all others; then values that
    /// an automatic takes over; and buttons, which act on what was set, last. In a stage the order is kept.
    static func stages<Item>(_ items: [Item], of control: (Item) -> ControlDescription) -> [[Item]] {
        let ranked = Dictionary(grouping: items) { rank(control($0)) }
        return ranked.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func rank(_ control: ControlDescription) -> Int {
        if control.type == .button { return 4 }
        if ControlNumber.isSwitch(control.id) { return 0 }
        if !ControlNumber.switches(of: control.id).isEmpty { return 3 }
        return control.has(.update) || control.has(.modifyLayout) ? 1 : 2
    }

    /// The settings of a stage as they go to the driver: those of one class in one call, text alone, buttons alone.
    static func batches(_ settings: [ControlSetting]) -> [[ControlSetting]] {
        var batches: [[ControlSetting]] = []
        var places: [UInt32: Int] = [:]
        for setting in settings {
            guard setting.control.type != .string, setting.control.type != .button else {
                batches.append([setting])
                continue
            }
            let controlClass = setting.control.id & classMask
            if let place = places[controlClass] {
                batches[place].append(setting)
            } else {
                places[controlClass] = batches.count
                batches.append([setting])
            }
        }
        return batches
    }

    /// The bits of a control's number that name its class (`V4L2_CTRL_ID2WHICH`).
    static let classMask: UInt32 = 0x0FFF_0000
}
