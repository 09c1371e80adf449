// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

/// The OpenAPI document, parsed as far as the tests need it.
struct Contract {
    let schemas: [String: [String: Any]]
    let paths: [String: [String: Any]]
    let responses: [String: [String: Any]]
    let tags: [String]

    static let text = ContractDocument(routes: ControlResponder(.fakes(), logger: .quiet).routes).text

    init() throws {
        let document = try #require(JSONSerialization.jsonObject(with: Data(Self.text.utf8)) as? [String: Any])
        #expect(document["openapi"] as? String == "3.1.0")
        paths = try #require(document["paths"] as? [String: [String: Any]])
        tags = try #require(document["tags"] as? [[String: String]]).compactMap { $0["name"] }
        let components = try #require(document["components"] as? [String: Any])
        schemas = try #require(components["schemas"] as? [String: [String: Any]])
        responses = try #require(components["responses"] as? [String: [String: Any]])
    }

    /// The methods of each path; GET implies HEAD.
    var methods: [String: Set<String>] {
        paths.mapValues { $0["get"] == nil ? Set($0.keys) : Set($0.keys).union(["head"]) }
    }

    /// The query parameters of one method of a path, by name.
    func query(of path: String, _ method: String) throws -> [String: [String: Any]] {
        let parameters = try #require((paths[path]?[method] as? [String: Any])?["parameters"] as? [[String: Any]])
        let own = parameters.filter { $0["in"] as? String == "query" }
        return Dictionary(own.map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
    }

    /// `value` as a JSON object.
    static func object(_ value: any Encodable) throws -> [String: Any] {
        let json = Data(try WireFormat.encode(value))
        return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }

    func properties(of schema: String) throws -> [String: [String: Any]] {
        try #require(schemas[schema]?["properties"] as? [String: [String: Any]])
    }

    func property(_ name: String, of schema: String) throws -> [String: Any] {
        try #require(properties(of: schema)[name])
    }

    /// The header field names of a successful GET, in lower case.
    func headers(of path: String) throws -> Set<String> {
        let replies = try #require((paths[path]?["get"] as? [String: Any])?["responses"] as? [String: [String: Any]])
        var reply = try #require(replies["200"])
        if let reference = reply["$ref"] as? String {
            reply = try #require(responses[String(reference.split(separator: "/").last ?? "")])
        }
        let headers = try #require(reply["headers"] as? [String: Any])
        return Set(headers.keys.map { $0.lowercased() })
    }

    /// Deviations of a JSON document from the schema `name`.
    func faults(in json: [UInt8], as name: String) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed)
        return faults(of: value, as: ["$ref": "#/components/schemas/\(name)"], at: name)
    }

    /// Deviations of `value` from `schema`: types, required and unknown keys, words of an enumeration.
    func faults(of value: Any, as schema: [String: Any], at place: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let name = String(reference.split(separator: "/").last ?? "")
            return schemas[name].map { faults(of: value, as: $0, at: place) } ?? ["\(name) is not defined"]
        }
        if let choices = schema["oneOf"] as? [[String: Any]] {
            let fits = choices.contains { faults(of: value, as: $0, at: place).isEmpty }
            return fits ? [] : ["\(place) is none of the choices"]
        }
        if let words = schema["enum"] as? [String] {
            return words.contains(value as? String ?? "") ? [] : ["\(place) is none of \(words)"]
        }
        if let types = schema["type"] as? [String] {
            let fits = types.contains { type in
                faults(of: value, as: schema.merging(["type": type]) { _, only in only }, at: place).isEmpty
            }
            return fits ? [] : ["\(place) is none of \(types)"]
        }
        switch schema["type"] as? String {
        case "object": return objectFaults(of: value, as: schema, at: place)
        case "array":
            guard let items = value as? [Any] else { return ["\(place) is no array"] }
            return items.flatMap { faults(of: $0, as: schema["items"] as? [String: Any] ?? [:], at: "\(place)[]") }
        case "string": return value is String ? [] : ["\(place) is no string"]
        case "boolean": return value is Bool ? [] : ["\(place) is no boolean"]
        case "integer": return value is Int ? [] : ["\(place) is no integer"]
        case "number": return value is Double || value is Int ? [] : ["\(place) is no number"]
        default: return ["\(place) has no type in the contract"]
        }
    }

    private func objectFaults(of value: Any, as schema: [String: Any], at place: String) -> [String] {
        guard let object = value as? [String: Any] else { return ["\(place) is no object"] }
        let known = schema["properties"] as? [String: [String: Any]] ?? [:]
        var found = (schema["required"] as? [String] ?? [])
            .filter { object[$0] == nil }
            .map { "\(place).\($0) is missing" }
        for (key, member) in object {
            if let property = known[key] ?? schema["additionalProperties"] as? [String: Any] {
                found += faults(of: member, as: property, at: "\(place).\(key)")
            } else {
                found.append("\(place).\(key) is unknown")
            }
        }
        return found
    }
}

extension Contract {
    struct Operation: CustomStringConvertible {
        let method: String
        let path: String
        let body: [String: Any]?
        let statuses: Set<String>

        /// The request line, with names that exist in the fakes.
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

    /// The target of a reference, or `schema` itself.
    func resolved(_ schema: [String: Any]) -> [String: Any] {
        guard let reference = schema["$ref"] as? String else { return schema }
        return schemas[String(reference.split(separator: "/").last ?? "")] ?? [:]
    }

    /// The description of each response that is a problem, by its name.
    var problems: [String: String] {
        responses.filter { "\($0.value)".contains("problem+json") }.compactMapValues { $0["description"] as? String }
    }
}

extension Contract {
    /// JSON values that `schema` does not allow: of other types and just outside its bounds.
    func wrong(_ schema: [String: Any]) -> [String] {
        let schema = resolved(schema)
        let choices = (schema["oneOf"] as? [[String: Any]] ?? [schema]).map(resolved)
        let types = Set(choices.flatMap { $0["type"] as? [String] ?? [$0["type"] as? String ?? ""] })
        var values = [
            ("null", "null"), ("boolean", "true"), ("integer", "7"), ("number", "0.5"), ("string", #""\u0007 no""#),
            ("array", "[]"), ("object", "{}"),
        ].filter { type, _ in !types.contains(type) && !(type == "integer" && types.contains("number")) }.map(\.1)
        for choice in choices { values += outside(choice) }
        return values
    }

    private func outside(_ schema: [String: Any]) -> [String] {
        var values: [String] = []
        if let least = schema["minimum"] as? Int { values += ["\(least - 1)", "-1e300"] }
        if let most = schema["maximum"] as? Int { values += ["\(most + 1)", "1e300"] }
        if schema["type"] as? String == "integer" { values += ["1.5", "1e30"] }
        if schema["enum"] != nil { values += [#""none of these""#, "99"] }
        if schema["pattern"] != nil || schema["format"] != nil { values.append(#""\n""#) }
        if schema["minLength"] != nil { values.append(#""""#) }
        if let most = schema["maxLength"] as? Int { values.append("\"\(String(repeating: "x", count: most + 1))\"") }
        if let items = schema["items"] as? [String: Any] {
            values += wrong(items).map { "[\($0)]" }
            if schema["minItems"] != nil { values.append("[]") }
            if let most = schema["maxItems"] as? Int {
                values.append("[\((0...most).map { "\"\($0)\"" }.joined(separator: ","))]")
            }
            if schema["uniqueItems"] as? Bool == true { values.append(#"["a","a"]"#) }
        }
        if let members = schema["properties"] as? [String: [String: Any]] {
            values.append(#"{"nonsense": 1}"#)
            for (name, member) in members {
                values += wrong(member).map { "{\"\(name)\": \($0)}" }
            }
        }
        return values
    }
}
