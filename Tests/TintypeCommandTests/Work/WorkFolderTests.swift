// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import tintype

struct WorkFolderTests {
    @Test func `a worker keeps the id of its cache, and each cache has another`() throws {
        try inTemporaryFolder { folder in
            let first = try WorkFolder.worker(in: "\(folder)/a/b")
            #expect(try WorkFolder.worker(in: "\(folder)/a/b") == first)
            #expect(try WorkFolder.worker(in: "\(folder)/c") != first)
            // Half written.
            try Data("x".utf8).write(to: URL(filePath: "\(folder)/c/.tintype-id"))
            let id = try WorkFolder.worker(in: "\(folder)/c")
            #expect(id.count >= 12)
            #expect(try WorkFolder.worker(in: "\(folder)/c") == id)
        }
    }

    @Test(arguments: ["", "a//b", "../a", "a/./b", "a\nb"])
    func `a name that leaves its folder, or is no line, is not safe`(name: String) {
        #expect(!WorkFolder.isSafe(name))
        #expect(WorkFolder.isSafe("front/2026/a b.jpg"))
    }
}
