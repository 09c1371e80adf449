// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

/// Description of a control from `VIDIOC_QUERY_EXT_CTRL` or `VIDIOC_QUERYCTRL`.
struct RawControl {
    var id: UInt32 = 0
    var type: UInt32 = 0
    var title = ""
    var minimum: Int64 = 0
    var maximum: Int64 = 0
    var step: UInt64 = 0
    var defaultValue: Int64 = 0
    var flags: UInt32 = 0
    /// Number of elements in each dimension; empty if not an array.
    var dimensions: [UInt32] = []
    /// Size of an element in bytes, and number of elements.
    var elementSize: UInt32 = 0
    var elementCount: UInt32 = 0

    init() {}

    init(_ query: v4l2_query_ext_ctrl) {
        id = query.id
        type = query.type
        title = V4L2Node.text(of: query.name)
        minimum = query.minimum
        maximum = query.maximum
        step = query.step
        defaultValue = query.default_value
        flags = query.flags
        let sizes = [query.dims.0, query.dims.1, query.dims.2, query.dims.3]
        dimensions = Array(sizes.prefix(Int(query.nr_of_dims)))
        (elementSize, elementCount) = (query.elem_size, query.elems)
    }

    init(_ query: v4l2_queryctrl) {
        id = query.id
        type = query.type
        title = V4L2Node.text(of: query.name)
        minimum = Int64(query.minimum)
        maximum = Int64(query.maximum)
        step = UInt64(max(0, query.step))
        defaultValue = Int64(query.default_value)
        flags = query.flags
    }

    /// Title of a control class, not a control (`V4L2_CTRL_TYPE_CTRL_CLASS`).
    var isHeading: Bool { type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue }

    var controlType: ControlType {
        dimensions.isEmpty ? elementType : .compound
    }

    /// Type of one element; `compound` for structures and for the small integers that only occur in arrays.
    private var elementType: ControlType {
        switch type {
        case V4L2_CTRL_TYPE_INTEGER.rawValue: .integer
        case V4L2_CTRL_TYPE_INTEGER64.rawValue: .integer64
        case V4L2_CTRL_TYPE_BOOLEAN.rawValue: .boolean
        case V4L2_CTRL_TYPE_MENU.rawValue: .menu
        case V4L2_CTRL_TYPE_INTEGER_MENU.rawValue: .integerMenu
        case V4L2_CTRL_TYPE_BITMASK.rawValue: .bitmask
        case V4L2_CTRL_TYPE_BUTTON.rawValue: .button
        case V4L2_CTRL_TYPE_STRING.rawValue: .string
        default: .compound
        }
    }

    /// Element type and dimensions of a compound control.
    var elements: ControlElements? {
        guard controlType == .compound else { return nil }
        let name =
            switch type {
            case V4L2_CTRL_TYPE_U8.rawValue: "u8"
            case V4L2_CTRL_TYPE_U16.rawValue: "u16"
            case V4L2_CTRL_TYPE_U32.rawValue: "u32"
            case V4L2_CTRL_TYPE_AREA.rawValue: "area"
            default: elementType == .compound ? "0x" + String(type, radix: 16) : elementType.rawValue
            }
        return ControlElements(type: name, bytes: elementSize, count: elementCount, dimensions: dimensions)
    }

    var controlFlags: [ControlFlag] {
        ControlFlag.allCases.filter { flags & $0.bit != 0 }
    }

    /// Default title of the class of `id`, for drivers that report none.
    static func classTitle(of id: UInt32) -> String {
        switch CInt(bitPattern: id & ControlOrder.classMask) {
        case V4L2_CTRL_CLASS_USER: "User Controls"
        case V4L2_CTRL_CLASS_CODEC: "Codec Controls"
        case V4L2_CTRL_CLASS_CAMERA: "Camera Controls"
        case V4L2_CTRL_CLASS_FLASH: "Flash Controls"
        case V4L2_CTRL_CLASS_JPEG: "JPEG Compression Controls"
        case V4L2_CTRL_CLASS_IMAGE_SOURCE: "Image Source Controls"
        case V4L2_CTRL_CLASS_IMAGE_PROC: "Image Processing Controls"
        case V4L2_CTRL_CLASS_DV: "Digital Video Controls"
        case V4L2_CTRL_CLASS_DETECT: "Detection Controls"
        default: "Other Controls"
        }
    }
}

extension ControlFlag {
    /// Bit in `flags` (`V4L2_CTRL_FLAG_*`).
    var bit: UInt32 {
        let bit =
            switch self {
            case .disabled: V4L2_CTRL_FLAG_DISABLED
            case .grabbed: V4L2_CTRL_FLAG_GRABBED
            case .readOnly: V4L2_CTRL_FLAG_READ_ONLY
            case .writeOnly: V4L2_CTRL_FLAG_WRITE_ONLY
            case .update: V4L2_CTRL_FLAG_UPDATE
            case .inactive: V4L2_CTRL_FLAG_INACTIVE
            case .volatile: V4L2_CTRL_FLAG_VOLATILE
            case .executeOnWrite: V4L2_CTRL_FLAG_EXECUTE_ON_WRITE
            case .modifyLayout: V4L2_CTRL_FLAG_MODIFY_LAYOUT
            }
        return UInt32(bit)
    }
}
