// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct EmbeddedFileTests {
    private static let folder = Repository.folder.appending(path: "Sources/CPage")

    private let responder = ControlResponder(.fakes(), logger: .quiet)

    @Test func `serves each file of the page, byte for byte`() async throws {
        let page = Self.folder.appending(path: "page")
        let names = try FileManager.default.contentsOfDirectory(atPath: page.path)
        #expect(names.count > 20)
        for name in names {
            try await expect("/" + (name == "index.html" ? "" : "page/\(name)"), page.appending(path: name))
        }
    }

    private func expect(_ path: String, _ file: URL) async throws {
        let reply = try await ask(responder, "GET \(path)", [:])
        let bytes = Array(try Data(contentsOf: file))
        #expect(reply.status == 200 && reply.body == bytes, "\(path)")
    }

    @Test func `the page listens for every kind of event`() async throws {
        let script = try await ask(responder, "GET /page/episodes.js", [:]).text
        let table = try #require(script.firstMatch(of: /const KINDS = \{\n(.*?)\n\}/.dotMatchesNewlines())).1
        let kinds = table.matches(of: /\n? *"?([a-z-]+)"?: \{/).map { String($0.1) }
        #expect(kinds.sorted() == Event.Kind.allCases.map(\.rawValue).sorted())
    }

    @Test func `gets 404 for an unknown file of the page`() async throws {
        for name in ["index.html", "..%2Fpage.c", "main"] {
            #expect(try await ask(responder, "GET /page/\(name)", [:]).status == 404, "\(name)")
        }
        #expect(EmbeddedFile.named("") == nil)
    }
}
