// SPDX-License-Identifier: Apache-2.0

/// Control of a device and its value (`VIDIOC_QUERY_EXT_CTRL`, `VIDIOC_QUERYMENU`, `VIDIOC_G_EXT_CTRLS`).
package struct ControlDescription: Hashable, WireObject {
    package var id: UInt32
    /// ``title`` converted by ``ControlName/key(of:)``, as in `exposure_time_absolute`.
    package var name: String
    package var title: String
    package var controlClass: String
    package var type: ControlType
    package var minimum: Int64
    package var maximum: Int64
    package var step: UInt64
    /// Driver default; 0 or 1 for a boolean.
    package var defaultValue: Int64
    package var menu: [ControlMenuItem]
    package var elements: ControlElements?
    /// In the order of ``ControlFlag``.
    package var flags: [ControlFlag]
    package var value: ControlValue?

    package init(
        id: UInt32,
        title: String,
        controlClass: String,
        type: ControlType,
        minimum: Int64 = 0,
        maximum: Int64 = 0,
        step: UInt64 = 1,
        defaultValue: Int64 = 0,
        menu: [ControlMenuItem] = [],
        elements: ControlElements? = nil,
        flags: [ControlFlag] = [],
        value: ControlValue? = nil
    ) {
        self.id = id
        name = ControlName.key(of: title)
        (self.title, self.controlClass, self.type) = (title, controlClass, type)
        (self.minimum, self.maximum) = (minimum, maximum)
        self.step = max(1, step)
        (self.defaultValue, self.menu, self.elements) = (defaultValue, menu, elements)
        (self.flags, self.value) = (flags, value)
    }

    package func has(_ flag: ControlFlag) -> Bool { flags.contains(flag) }
    package var choice: String? { value.flatMap(menuName) }

    package func menuName(of value: ControlValue) -> String? {
        guard case .integer(let index) = value else { return nil }
        return menu.first { $0.index == index }?.name
    }

    /// Unit of the value; nil if V4L2 does not define one.
    package var unit: String? { id == ControlNumber.exposureAbsolute ? "100 µs" : nil }

    /// ``defaultValue`` in the form of ``value``; nil for types without a default.
    package var standard: ControlValue? {
        switch type {
        case .boolean: .boolean(defaultValue != 0)
        case .integer, .integer64, .menu, .integerMenu, .bitmask: .integer(defaultValue)
        case .button, .string, .compound: nil
        }
    }

    /// True if the control has a persistent value that can be set now.
    package var isSettable: Bool {
        guard type != .button, type != .compound else { return false }
        return ![.disabled, .readOnly, .writeOnly, .inactive, .volatile].contains { has($0) }
    }

    package static let summary = "One control of a camera."
    package static let fields: [Field] = [
        Field("id", \.id, "The driver interface's number (V4L2_CID_*)."),
        Field("name", \.name, "Its name in the API, as in exposure_time_absolute."),
        Field("title", \.title, "Its name in the driver's words."),
        Field("class", \.controlClass, "The name of its class, as in camera_controls."),
        Field("type", \.type, "The type of its value; a compound value is neither read nor set."),
        Field("minimum", \.minimum, "The smallest value; for text, the smallest number of bytes."),
        Field("maximum", \.maximum, "The largest value; for text, the most bytes; for a bitmask, all bits."),
        Field("step", \.step, "The step between values.", .positive),
        Field("default", of: Int.schema, "The driver's default value; 0 or 1 for a boolean.", isRequired: true),
        Field("menu", of: [ControlMenuItem].schema, "With menu and integerMenu: the items."),
        Field("elements", \.elements, "With compound: its parts."),
        Field("flags", \.flags, "Properties of the control."),
        Field("value", \.value, "The current value; missing if it cannot be read."),
        Field("choice", of: String.schema, "The name of the current menu item."),
        Field("unit", of: String.schema, "The unit of its numbers, if the driver interface defines it."),
    ]
}

/// Item of a menu control (`VIDIOC_QUERYMENU`).
package struct ControlMenuItem: Hashable, Codable, WireObject {
    package var index: Int64
    package var name: String
    package init(index: Int64, name: String) { (self.index, self.name) = (index, name) }
    package static let summary = "One item of a menu."
    package static let fields: [Field] = [
        Field("index", \.index, "The value that is set and read."),
        Field("name", \.name, "Its name, or its number."),
    ]
}

extension ControlDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, title, type, minimum, maximum, step, menu, elements, flags, value, choice, unit
        case controlClass = "class"
        case defaultValue = "default"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(UInt32.self, forKey: .id),
            title: try container.decode(String.self, forKey: .title),
            controlClass: try container.decode(String.self, forKey: .controlClass),
            type: try container.decode(ControlType.self, forKey: .type),
            minimum: try container.decode(Int64.self, forKey: .minimum),
            maximum: try container.decode(Int64.self, forKey: .maximum),
            step: try container.decode(UInt64.self, forKey: .step),
            defaultValue: try container.decode(Int64.self, forKey: .defaultValue),
            menu: try container.decodeIfPresent([ControlMenuItem].self, forKey: .menu) ?? [],
            elements: try container.decodeIfPresent(ControlElements.self, forKey: .elements),
            flags: try container.decode([ControlFlag].self, forKey: .flags),
            value: try container.decodeIfPresent(ControlValue.self, forKey: .value)
        )
        name = try container.decode(String.self, forKey: .name)
    }

    /// Writes `menu` for menu types only, `choice` and `unit` only if known.
    package func encode(to encoder: any Encoder) throws {
        let standard = ControlDescription(id: 0, title: "", controlClass: "", type: .compound)
        try Self.fields.encode(self, standard: standard, to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(defaultValue, forKey: .defaultValue)
        if type == .menu || type == .integerMenu { try container.encode(menu, forKey: .menu) }
        try container.encodeIfPresent(choice, forKey: .choice)
        try container.encodeIfPresent(unit, forKey: .unit)
    }
}

package struct ControlList: Equatable, Codable, WireObject {
    package var controls: [ControlDescription]
    package init(controls: [ControlDescription]) { self.controls = controls }
    package static let summary = "The controls of a camera."
    package static let fields: [Field] = [Field("controls", \.controls, "The controls in the driver's order.")]
}

/// Element type and dimensions of a compound control (`VIDIOC_QUERY_EXT_CTRL`): an array or one structure.
package struct ControlElements: Hashable, Codable, WireObject {
    package var type: String
    package var bytes: UInt32
    package var count: UInt32
    /// Slowest dimension first.
    package var dimensions: [UInt32]

    package init(type: String, bytes: UInt32, count: UInt32, dimensions: [UInt32]) {
        (self.type, self.bytes, self.count, self.dimensions) = (type, bytes, count, dimensions)
    }

    package static let summary = "The parts of a compound control: the elements of an array, or one structure."
    package static let fields: [Field] = [
        Field("type", \.type, "The element type, as in u8, integer or area; else its V4L2 number, as in 0x240."),
        Field("bytes", \.bytes, "The size of an element in bytes."),
        Field("count", \.count, "The number of elements; for a dynamic array, the current number."),
        Field("dimensions", \.dimensions, "Elements in each dimension (the most, if dynamic); empty for a structure."),
    ]
}
