// SPDX-License-Identifier: Apache-2.0
internal import Yams

extension Node {
    /// The type that YAML gives an unquoted value (YAML 1.1, "Language-Independent Types").
    enum YAMLType: Hashable {
        case text
        case null
        case number
        case truth
        case other
    }

    /// The type that YAML gives this value; `other` for a value that is no scalar.
    var yamlType: YAMLType {
        guard case .scalar = self else { return .other }
        return switch tag.description {
        case Tag.Name.str.rawValue: .text
        case Tag.Name.null.rawValue: .null
        case Tag.Name.int.rawValue, Tag.Name.float.rawValue: .number
        case Tag.Name.bool.rawValue: .truth
        default: .other
        }
    }

    /// The kind of value, in words.
    var kind: String {
        switch self {
        case .mapping: return "a mapping"
        case .sequence: return "a list"
        case .alias: return "an alias"
        case .scalar(let scalar):
            return switch yamlType {
            case .null: "empty"
            case .number: "the number \(scalar.string)"
            case .truth: "the truth value \(scalar.string)"
            case .text: "the text \"\(scalar.string)\""
            case .other: "\"\(scalar.string)\""
            }
        }
    }
}

extension Node {
    /// Where the key is that a path of keys ends in; nil where it is not there.
    func mark(of path: [String]) -> Mark? {
        guard let first = path.first, case .mapping(let mapping) = self,
            let (key, value) = mapping.first(where: { $0.key.string == first })
        else { return nil }
        return path.count == 1 ? key.mark : value.mark(of: Array(path.dropFirst()))
    }
}
