// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension Contract {
    /// One method of a path.
    struct Operation: CustomStringConvertible {
        let method: String
        let path: String
        let body: [String: Any]?
        let statuses: Set<String>

        /// The request line of a call, with names that the fakes know.
        var description: String {
            let names = ["{camera}": "pattern", "{profile}": "day", "{id}": "\(Samples.id)"]
            return "\(method.uppercased()) " + names.reduce(path) { $0.replacing($1.key, with: $1.value) }
        }
    }

    var operations: [Operation] {
        paths.flatMap { path, item in
            item.compactMap { method, value -> Operation? in
                guard let described = value as? [String: Any] else { return nil }
                let content = (described["requestBody"] as? [String: Any])?["content"] as? [String: [String: Any]]
                let schema = content?.values.first?["schema"] as? [String: Any]
                let statuses = (described["responses"] as? [String: Any])?.keys.map(\.self) ?? []
                return Operation(method: method, path: path, body: schema, statuses: Set(statuses))
            }
        }
    }

    /// The schema that a reference leads to, or `schema` itself.
    func resolved(_ schema: [String: Any]) -> [String: Any] {
        guard let reference = schema["$ref"] as? String else { return schema }
        return schemas[String(reference.split(separator: "/").last ?? "")] ?? [:]
    }

    /// The statuses and the text of each reply that is a problem.
    var problems: [String: String] {
        responses.filter { "\($0.value)".contains("problem+json") }.compactMapValues { $0["description"] as? String }
    }
}
