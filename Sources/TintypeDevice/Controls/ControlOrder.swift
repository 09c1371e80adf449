// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

enum ControlOrder {
    /// Groups controls into stages to set one after the other, by dependency.
    ///
    /// First switches of automatics, as a manual value has no effect while its automatic is on; then controls that
    /// change others (`V4L2_CTRL_FLAG_UPDATE`, `V4L2_CTRL_FLAG_MODIFY_LAYOUT`); then all others; then values controlled
    /// by an automatic; last buttons, which act on the values set. The order within a stage is preserved.
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

    /// Splits a stage into driver calls: one for each class; text and buttons separately.
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

    /// Class bits of a control id (`V4L2_CTRL_ID2WHICH`).
    static let classMask: UInt32 = 0x0FFF_0000
}
