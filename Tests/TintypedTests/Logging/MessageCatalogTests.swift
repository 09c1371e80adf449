// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

/// Message catalog of the journal, checked against the ids in the code and the manual page.
struct MessageCatalogTests {
    /// Catalog entries: id, headers and text.
    private static func entries() throws -> [(id: String, headers: [String], text: String)] {
        try Repository.text("systemd/tintype.catalog").split(separator: "\n-- ").dropFirst().map { entry in
            let lines = entry.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let headers = lines.dropFirst().prefix { !$0.isEmpty }
            return (lines[0], Array(headers), lines.dropFirst(1 + headers.count).joined(separator: "\n"))
        }
    }

    @Test func `each message id has one catalog entry`() throws {
        let ids = try Self.entries().map(\.id)
        #expect(ids.count == Set(ids).count)
        #expect(Set(ids) == Set(MessageID.allCases.map(\.rawValue)))
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    }

    @Test func `each catalog entry has the standard headers and a text`() throws {
        for entry in try Self.entries() {
            let names = entry.headers.map { $0.prefix { $0 != ":" } }
            #expect(names == ["Subject", "Defined-By", "Support", "Documentation"], "\(entry.id)")
            #expect(entry.text.count > 100, "\(entry.id)")
        }
    }

    @Test func `tintyped(8) has each id and field of the catalog`() throws {
        let page = try Repository.text("man/tintyped.8")
        for id in MessageID.allCases { #expect(page.contains(id.rawValue), "\(id) is not in man/tintyped.8") }
        for match in try Repository.text("systemd/tintype.catalog").matches(of: /@([A-Z_]+)@/) {
            #expect(page.contains(match.1), "\(match.1) is not in man/tintyped.8")
        }
    }
}
