// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct HelpTextTests {
    /// Every command with the words that call it.
    private static func all(
        _ command: any ParsableCommand.Type = RootCommand.self,
        _ words: [String] = []
    ) -> [[String]] {
        [words] + command.configuration.subcommands.flatMap { all($0, words + [$0._commandName]) }
    }

    @Test func `every help begins with the usage, and has the description behind it`() async throws {
        let commands = Self.all()
        #expect(commands.count > 30)
        for words in commands {
            let error = await #expect(throws: (any Error).self) {
                var help = try await RootCommand.asyncParseAsRoot(words + ["--help"])
                try help.run()
            }
            let original = RootCommand.fullMessage(for: try #require(error))
            let text = HelpText.arranged(original)
            #expect(text.hasPrefix("USAGE: \((["tintype"] + words).joined(separator: " "))"), "\(text)")
            #expect(!text.contains("OVERVIEW") && text.contains("\n\nOPTIONS:\n"), "\(text)")
            // Nothing is lost on the way.
            let wordsOf = { (text: String) in text.split { $0.isWhitespace }.filter { $0 != "OVERVIEW:" }.sorted() }
            #expect(wordsOf(text) == wordsOf(original))
        }
    }

    @Test func `the help of tintype ends with the exit statuses of every problem`() {
        let text = HelpText.arranged(RootCommand.helpMessage())
        #expect(text.hasSuffix(ExitStatusTable.text))
        #expect(text.hasPrefix("USAGE: tintype"))
    }

    @Test func `what is no help stays as it is`() {
        for text in ["0.1.0", "#!/bin/bash\n\nUSAGE: x\n", "OVERVIEW: x"] { #expect(HelpText.arranged(text) == text) }
    }
}
