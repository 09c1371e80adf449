// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport

/// README.md or a page of docs/, with its code blocks.
struct Document {
    struct Block {
        /// Of the line `<!-- run: NAME -->` before it, for the test that runs it.
        let name: String?
        let language: Substring
        var text = ""

        /// A block without a language counts as commands.
        var isCommands: Bool { ["", "sh", "console"].contains(language) }
    }

    let path: String
    private(set) var blocks: [Block] = []

    static let paths = {
        let docs = FileManager.default.enumerator(atPath: Repository.folder.appending(path: "docs").path)
        let pages = (docs?.allObjects ?? []).compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.sorted()
        return ["README.md"] + pages.map { "docs/\($0)" }
    }()

    init(_ path: String) throws {
        self.path = path
        var (open, before): (Block?, Substring) = (nil, "")
        for line in try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
            let fence = line.trimmingPrefix { $0 == " " }
            if !fence.hasPrefix("```") {
                open?.text += "\(line)\n"
            } else if let block = open {
                blocks.append(block)
                open = nil
            } else {
                let name = before.wholeMatch(of: /<!-- run: (\S+) -->/)?.1
                open = Block(name: name.map(String.init), language: fence.dropFirst(3))
            }
            before = line
        }
    }
}
