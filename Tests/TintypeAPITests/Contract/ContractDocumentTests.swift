// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

/// The document in the repository, against the routes and the tables that it is made from.
struct ContractDocumentTests {
    private let text: String

    init() {
        let responder = ControlResponder(.fakes(), logger: .quiet)
        text = ContractDocument(routes: responder.routes).text
    }

    /// `make contract` writes it instead: TINTYPE_CONTRACT is then its path.
    @Test func `openapi.json is what make contract makes of the routes and the tables`() throws {
        guard let path = ProcessInfo.processInfo.environment["TINTYPE_CONTRACT"] else {
            #expect(String(buffer: EmbeddedFile.contract) == text, "run make contract")
            return
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `each reference leads somewhere, and each schema is referred to`() throws {
        let contract = try Contract(text)
        let names = Set(text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/).map { String($0.1) })
        #expect(names == Set(contract.schemas.keys))
        for match in text.matches(of: /#\/components\/(parameters|responses)\/([A-Za-z]+)/) {
            #expect(text.contains("\"\(match.2)\": {"), "\(match.0)")
        }
    }
}
