// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct ManualPageTests {
    private var page: String {
        get throws {
            var folder = URL(filePath: #filePath)
            for _ in 0..<3 { folder.deleteLastPathComponent() }
            return try String(contentsOf: folder.appending(path: "man/tintype.1"), encoding: .utf8)
        }
    }

    @Test func `the page and the help list every exit status`() throws {
        let page = try page
        for code in ProblemCode.allCases {
            #expect(page.contains("\n\(code.exitStatus)|\(code.rawValue): \(code.title)\n"))
            #expect(ExitStatusTable.text.contains("  \(code.exitStatus)  \(code.rawValue): \(code.title)"))
        }
        let rows = page.split(separator: "\n").count { $0.wholeMatch(of: /[0-9]+\|.*/) != nil }
        #expect(rows == ProblemCode.allCases.count + 5)
    }

    @Test func `the page has every option of the help`() throws {
        let page = try page.replacing("\\-", with: "-")
        let help = [
            RootCommand.helpMessage(), StillCommand.helpMessage(), StatusCommand.helpMessage(),
            HoldCommand.helpMessage(), ReleaseCommand.helpMessage(),
        ].joined()
        let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
        #expect(options.count > 10)
        for option in options { #expect(page.contains(option), "\(option)") }
        #expect(page.contains("TINTYPE_SOCKET"))
        #expect(page.contains("tintype \(TintypeVersion.current)"))
    }
}
