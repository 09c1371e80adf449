// SPDX-License-Identifier: Apache-2.0

package enum FieldFault: Hashable, Sendable {
    /// Unknown field; `known` lists the valid ones.
    case unknown(known: [String])
    /// Not an object with the `known` fields.
    case notFields(known: [String])
    /// Not allowed together with the field `other`.
    case conflict(other: String)
    /// Wrong type; the text continues a sentence, as in `is not a size.`.
    case type(String, remedy: String)
    /// Right type, invalid value; the text continues a sentence.
    case value(String, remedy: String)
}

/// Path of a field in its document: names and list indices, separated by dots.
package enum FieldPath {
    /// Path of the field `name` of the object at `path`; a name that contains a dot is quoted.
    package static func joined(_ path: String, _ name: String) -> String {
        let name = name.contains(".") ? "\"\(name)\"" : name
        return path.isEmpty ? name : "\(path).\(name)"
    }
}

extension Problem {
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

    /// `invalid-request` with the detail "The field NAME WRONG".
    package static func invalid(field: String, _ wrong: String, remedy: String) -> Problem {
        Problem(.invalidRequest, "The field \(field) \(wrong)", remedy: remedy, field: field)
    }

    static func unknown(field: String, known: [String]) -> Problem {
        let name = field.split(separator: ".").last.map(String.init) ?? field
        let remedy = Spelling.remedy(for: name, among: known, otherwise: "Leave it out.")
        return .invalid(field: field, "is not known.", remedy: remedy)
    }

    static func conflict(field: String, with other: String) -> Problem {
        .invalid(field: field, "cannot be combined with \(other).", remedy: "Give one of the two.")
    }
}
