// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

/// The daemon accepts no more than the contract allows and replies only with listed statuses.
struct RequestContractTests {
    /// Other members of the body, valid, so that only the tested field is wrong.
    private static let rest: [String: [String: String]] = [
        "HoldRequest": ["owner": #""ann""#, "forMs": "1"],
        "JobRequest": ["where": #""all()""#, "to": #""s3:a/{id}""#],
        "FilmRequest": ["where": #""camera:a""#],
        "FrameEdit": ["addTags": #"["b"]"#, "removeTags": #"["c"]"#],
        "FrameSelection": ["ids": #"["\#(Samples.id)"]"#],
        "FrameChange": ["ids": #"["\#(Samples.id)"]"#, "addTags": #"["b"]"#, "removeTags": #"["c"]"#],
    ]

    @Test func `each request field rejects values outside the contract by name`() async throws {
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
        // A contract that was not parsed would pass otherwise.
        #expect(count > 500)
    }

    @Test func `the contract lists every status and problem code`() throws {
        let contract = try Contract()
        for operation in contract.operations {
            #expect(!operation.statuses.contains("default"), "\(operation)")
            #expect(operation.statuses.isSuperset(of: ["400", "429", "500", "503"]), "\(operation)")
            #expect((operation.body != nil) == operation.statuses.contains("413"), "\(operation)")
        }
        let named = Set(contract.operations.flatMap(\.statuses)).filter { Int($0) ?? 0 >= 400 }
        // Not listed for an operation: the router replies with it to other methods.
        let codes = Set(ProblemCode.allCases).subtracting([.methodNotAllowed])
        // A range that no file has, whose reply has no document.
        #expect(named == Set(codes.map { "\($0.status)" } + ["416"]))
        let texts = contract.problems.values.joined(separator: "\n")
        for code in codes { #expect(texts.contains(code.rawValue), "\(code)") }
    }
}
