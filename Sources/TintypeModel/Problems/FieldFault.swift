// SPDX-License-Identifier: Apache-2.0

/// What is wrong with one field of a request or of the configuration.
package enum FieldFault: Hashable, Sendable {
    /// There is no such field beside the `known` ones.
    case unknown(known: [String])
    /// The value is no object with the `known` fields.
    case notFields(known: [String])
    /// The field makes no sense beside the `other`.
    case conflict(other: String)
    /// The value is of another type than the field's; the words are as in `is not a size.`.
    case type(String, remedy: String)
    /// The value is of the right type, and yet none of the field's.
    case value(String, remedy: String)
}

/// Where fields stand in their document: names and, in lists, numbers, with dots between.
package enum FieldPath {
    /// The place of the field `name` of the object at `path`; a name with a dot in it is in quotes.
    package static func joined(_ path: String, _ name: String) -> String {
        let name = name.contains(".") ? "\"\(name)\"" : name
        return path.isEmpty ? name : "\(path).\(name)"
    }
}

/// Is told all that is wrong with the fields of a document, where its reader should know of every fault.
package protocol FieldFaults: AnyObject {
    /// Notes a fault of the field at `path`.
    func add(_ fault: FieldFault, at path: String)
}

extension Problem {
    /// The `invalid-request` for a fault of the field `field`.
    init(_ fault: FieldFault, at field: String) {
        self =
            switch fault {
            case .unknown(let known): .unknown(field: field, known: known)
            case .notFields(let known):
                .invalid(field: field, "is not an object.", remedy: "Give fields: \(known.joined(separator: ", ")).")
            case .conflict(let other): .conflict(field: field, with: other)
            case .type(let wrong, let remedy), .value(let wrong, let remedy):
                .invalid(field: field, wrong, remedy: remedy)
            }
    }

    /// An `invalid-request` for one field: "The field NAME WRONG".
    package static func invalid(field: String, _ wrong: String, remedy: String) -> Problem {
        Problem(.invalidRequest, "The field \(field) \(wrong)", remedy: remedy, field: field)
    }

    /// An `invalid-request` for an unknown field.
    static func unknown(field: String, known: [String]) -> Problem {
        .invalid(
            field: field,
            "is not known.",
            remedy: Spelling.remedy(
                for: field.split(separator: ".").last.map(String.init) ?? field,
                among: known,
                otherwise: "Leave it out."
            )
        )
    }

    /// An `invalid-request` for a field that makes no sense beside another.
    static func conflict(field: String, with other: String) -> Problem {
        .invalid(field: field, "cannot be combined with \(other).", remedy: "Give one of the two.")
    }
}
