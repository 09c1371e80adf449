// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import TintypeModel

/// Description of a control, from `VIDIOC_QUERY_EXT_CTRL`.
extension v4l2_query_ext_ctrl {
    var title: String { V4L2Node.text(of: name) }

    /// Empty if not an array.
    private var dimensions: [UInt32] { Array([dims.0, dims.1, dims.2, dims.3].prefix(Int(nr_of_dims))) }
    var isHeading: Bool { type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue }
    var controlType: ControlType { dimensions.isEmpty ? elementType : .compound }

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
        return ControlElements(type: name, bytes: elem_size, count: elems, dimensions: dimensions)
    }

    var controlFlags: [ControlFlag] { ControlFlag.allCases.filter { flags & UInt32($0.bit) != 0 } }

    /// Default title of its class, for drivers that report none.
    var classTitle: String {
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
    fileprivate var bit: Int32 {
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
    }
}
