// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import Testing

@testable import TintypeControl

struct EmbeddedFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/CPage")

    @Test func `each file of the page is in the program, byte for byte`() throws {
        let page = Self.folder.appending(path: "page")
        let names = try FileManager.default.contentsOfDirectory(atPath: page.path)
        #expect(names.count > 20)
        for name in names {
            let embedded = name == "index.html" ? EmbeddedFile.index : try #require(EmbeddedFile.named(name), "\(name)")
            #expect(embedded == ByteBuffer(bytes: try Data(contentsOf: page.appending(path: name))), "\(name)")
        }
        let contract = try Data(contentsOf: Self.folder.appending(path: "openapi.json"))
        #expect(EmbeddedFile.contract == ByteBuffer(bytes: contract))
    }

    @Test func `a name that no file of the page has gives nothing`() {
        for name in ["", "index.html", "openapi.json", "../openapi.json", "main"] {
            #expect(EmbeddedFile.named(name) == nil, "\(name)")
        }
    }
}
