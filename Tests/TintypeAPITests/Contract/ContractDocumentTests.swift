// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TintypeAPI

struct ContractDocumentTests {
    private let text = Contract.text

    @Test func `the daemon serves the document of its routes`() async throws {
        let reply = try await ask(ControlResponder(.fakes(), logger: .quiet), "GET /openapi.json", [:])
        #expect(reply.status == 200 && reply.headers["content-type"] == "application/json")
        #expect(String(decoding: reply.body, as: UTF8.self) == text)
        #expect(text.contains(#""/openapi.json": {"#))
    }

    @Test func `each reference is defined and each schema is used`() throws {
        let contract = try Contract()
        let names = Set(text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/).map { String($0.1) })
        #expect(names == Set(contract.schemas.keys))
        for match in text.matches(of: /#\/components\/(parameters|responses)\/([A-Za-z]+)/) {
            #expect(text.contains("\"\(match.2)\": {"), "\(match.0)")
        }
    }

    @Test func `each operation has one of the tags, by its path`() throws {
        let contract = try Contract()
        var used: [String: [String]] = [:]
        for (path, item) in contract.paths {
            for case let operation as [String: Any] in item.values {
                let tags = try #require(operation["tags"] as? [String], "\(path)")
                #expect(tags.count == 1, "\(path)")
                for tag in tags { used[tag, default: []].append(path) }
            }
        }
        #expect(Set(used.keys) == Set(contract.tags) && contract.tags.count == 8)
        #expect(used["frames"]?.contains("/v1/spool/verify") == true)
        #expect(used["controls"]?.contains("/v1/cameras/{camera}/controls/profiles") == true)
        #expect(used["cameras"]?.contains("/v1/cameras/{camera}/still.jpg") == true)
        #expect(Set(used["compatible"] ?? []) == ["/", "/snapshot", "/state", "/stream"])
    }

    /// `make contract` writes the file instead: TINTYPE_SURFACE is then its path.
    @Test func `surface.txt has a line for each path, parameter and field`() throws {
        let surface = try Contract().surface.joined(separator: "\n") + "\n"
        if let path = ProcessInfo.processInfo.environment["TINTYPE_SURFACE"] {
            return try surface.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try Repository.text("Tests/Contract/surface.txt") == surface, "run make contract")
    }
}

extension Contract {
    /// A line for each path, parameter and field, sorted: all that a client can rely on, without descriptions.
    fileprivate var surface: [String] {
        let operations = paths.flatMap { path, item in
            item.flatMap { method, value -> [String] in
                let operation = value as? [String: Any] ?? [:]
                let name = "\(method.uppercased()) \(path)"
                let replies = (operation["responses"] as? [String: Any] ?? [:]).keys.sorted().joined(separator: " ")
                let parameters = operation["parameters"] as? [[String: Any]] ?? []
                return ["\(name) \(operation["x-role"] ?? "everybody"), replies \(replies)"]
                    + parameters.filter { $0["$ref"] == nil }.map { parameter in
                        "\(name) \(parameter["in"] ?? "") \(parameter["name"] ?? "") \(Self.line(parameter["schema"]))"
                    }
            }
        }
        let fields = schemas.flatMap { schema, definition -> [String] in
            guard let properties = definition["properties"] as? [String: Any] else {
                return ["\(schema) \(Self.line(definition))"]
            }
            let required = definition["required"] as? [String] ?? []
            return properties.map { name, value in
                "\(schema).\(name)\(required.contains(name) ? "" : "?") \(Self.line(value))"
            }
        }
        return operations.sorted() + fields.sorted()
    }

    /// A schema in one line, without descriptions and examples.
    private static func line(_ schema: Any?) -> String {
        switch schema {
        case let object as [String: Any]:
            let members = object.filter { !["description", "examples"].contains($0.key) }.sorted { $0.key < $1.key }
            return "{" + members.map { "\($0.key): \(line($0.value))" }.joined(separator: ", ") + "}"
        case let list as [Any]: return "[" + list.map(line).joined(separator: ", ") + "]"
        default: return schema.map { "\($0)" } ?? ""
        }
    }
}
