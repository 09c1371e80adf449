// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing

@testable internal import tintype

struct HelpTextTests {
    /// The words of every command.
    private static func all(
        _ command: any ParsableCommand.Type = RootCommand.self,
        _ words: [String] = []
    ) -> [[String]] {
        [words] + command.configuration.subcommands.flatMap { all($0, words + [$0._commandName]) }
    }

    @Test func `every help starts with the usage and keeps all of its text`() async throws {
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
            // No word is lost.
            let wordsOf = { (text: String) in text.split { $0.isWhitespace }.filter { $0 != "OVERVIEW:" }.sorted() }
            #expect(wordsOf(text) == wordsOf(original))
        }
    }

    @Test func `the help of tintype ends with the exit statuses`() {
        let text = HelpText.arranged(RootCommand.helpMessage())
        #expect(text.hasSuffix(ExitStatusTable.text))
        #expect(text.hasPrefix("USAGE: tintype"))
    }

    @Test func `text other than help is unchanged`() {
        for text in ["0.1.0", "#!/bin/bash\n\nUSAGE: x\n", "OVERVIEW: x"] { #expect(HelpText.arranged(text) == text) }
    }
}
