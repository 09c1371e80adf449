// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeAPI

/// The daemon takes no more than the contract allows, and answers no status that it does not name.
struct RequestContractTests {
    /// What a body needs besides the field that is looked at, so that nothing else is wrong with it.
    private static let rest: [String: [String: String]] = [
        "HoldRequest": ["owner": #""ann""#, "forMs": "1"],
        "FrameEdit": ["addTags": #"["b"]"#, "removeTags": #"["c"]"#],
        "FrameSelection": ["ids": #"["\#(Samples.id)"]"#],
        "FrameChange": ["ids": #"["\#(Samples.id)"]"#, "addTags": #"["b"]"#, "removeTags": #"["c"]"#],
    ]

    @Test func `each field of each request refuses what the contract does not allow, and is named`() async throws {
        let contract = try Contract()
        var count = 0
        try await withAPI(.router) { api in
            for operation in contract.operations {
                guard let body = operation.body else { continue }
                let name = (body["$ref"] as? String)?.split(separator: "/").last.map(String.init) ?? ""
                let schema = contract.resolved(body)
                var fields = schema["properties"] as? [String: [String: Any]] ?? [:]
                if let any = schema["additionalProperties"] as? [String: Any] { fields["brightness"] = any }
                for (field, described) in fields {
                    for value in contract.wrong(described) {
                        var members = Self.rest[name] ?? [:]
                        if field == "where" { members["ids"] = nil }
                        members[field] = value
                        let text = "{\(members.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}"
                        let reply = try await api("\(operation)", body: text)
                        #expect(reply.status == 400, "\(operation) \(text)")
                        let told = try? reply.problem.field
                        #expect(told?.hasPrefix(field) == true, "\(operation) \(text): \(told ?? "")")
                        count += 1
                    }
                }
                for text in ["null", "[]", "1", #""x""#, #"{"nonsense": null}"#, "{", "\u{FEFF}"] {
                    #expect(try await api("\(operation)", body: text).status == 400, "\(operation) \(text)")
                }
            }
        }
        // Without it, a contract that was not read would be a test that passes.
        #expect(count > 500)
    }

    @Test func `each operation names its statuses, and the contract each code that one can give`() throws {
        let contract = try Contract()
        for operation in contract.operations {
            #expect(!operation.statuses.contains("default"), "\(operation)")
            #expect(operation.statuses.isSuperset(of: ["400", "429", "500", "503"]), "\(operation)")
            #expect((operation.body != nil) == operation.statuses.contains("413"), "\(operation)")
        }
        let named = Set(contract.operations.flatMap(\.statuses)).filter { Int($0) ?? 0 >= 400 }
        // Given by no operation, but where a path does not have the method.
        let codes = Set(ProblemCode.allCases).subtracting([.methodNotAllowed])
        #expect(named == Set(codes.map { "\($0.status)" }))
        let texts = contract.problems.values.joined(separator: "\n")
        for code in codes { #expect(texts.contains(code.rawValue), "\(code)") }
    }
}
