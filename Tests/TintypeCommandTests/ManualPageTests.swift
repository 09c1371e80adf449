// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct ManualPageTests {
    private var page: String {
        get throws { try Repository.text("man/tintype.1") }
    }

    @Test func `the page and the help list every exit status`() throws {
        let page = try page
        for code in ProblemCode.allCases {
            #expect(page.contains("\n\(code.exitStatus)|\(code.rawValue): \(code.title)\n"))
            #expect(ExitStatusTable.text.contains("  \(code.exitStatus)  \(code.rawValue): \(code.title)"))
        }
        #expect(page.contains("\n\(DoctorCommand.unhealthy)|doctor or verify has found something wrong\n"))
        #expect(
            ExitStatusTable.text.contains("   \(DoctorCommand.unhealthy)  doctor or verify has found something wrong\n")
        )
        let rows = page.split(separator: "\n").count { $0.wholeMatch(of: /[0-9]+\|.*/) != nil }
        #expect(rows == ProblemCode.allCases.count + 9)
        for level in [Health.Level.degraded, .failing] {
            #expect(page.contains("\n\(level.exitStatus)|status: "))
            #expect(ExitStatusTable.text.contains("   \(level.exitStatus)  status: "))
        }
    }

    @Test func `the page lists every finding of the doctor`() throws {
        let page = try page.replacing("\\-", with: "-")
        let problems = [ProblemCode.deviceLost, .driverStuck].map(\.rawValue)
        let codes = Set(DiagnosisTests.cases.flatMap(\.codes)).subtracting(problems)
        #expect(codes.count == 10)
        for code in codes.union(["daemon-unreachable"]) { #expect(page.contains("\n\(code)|"), "\(code)") }
    }

    @Test func `the page lists every kind of event and every command`() throws {
        let page = try page.replacing("\\-", with: "-")
        for kind in Event.Kind.allCases { #expect(page.contains(kind.rawValue), "\(kind)") }
        let synopsis = try #require(page.firstRange(of: ".SH DESCRIPTION").map { page[..<$0.lowerBound] })
        let words = Set(synopsis.split(whereSeparator: \.isWhitespace).map { String($0) })
        for command in RootCommand.configuration.subcommands {
            let name = try #require(command.configuration.commandName)
            #expect(words.contains(name), "\(name)")
        }
    }

    @Test func `the page of frames lists every command, option and field`() throws {
        let page = try Repository.text("man/tintype-frames.1").replacing("\\-", with: "-")
        let commands = FramesCommand.configuration.subcommands
        #expect(commands.count == 10)
        for command in commands {
            let name = try #require(command.configuration.commandName)
            // The entry of the command: in bold, alone or with arguments.
            let entries = [".B \(name)\n", ".BR \(name) ", " \(name) \""]
            #expect(entries.contains { page.contains($0) }, "\(name)")
        }
        let help = commands.map { $0.helpMessage() }.joined()
        let common: Set = ["--socket", "--json", "--version", "--help"]
        let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }).subtracting(common)
        #expect(options.count > 10)
        for option in options { #expect(page.contains(option), "\(option)") }
        for field in FrameRecord.fields { #expect(page.contains("{\(field.name)}"), "\(field.name)") }
        #expect(page.contains("tintype \(TintypeVersion.current)"))
    }

    @Test func `the page lists every option of the help`() throws {
        let page = try page.replacing("\\-", with: "-")
        let commands: [any ParsableCommand.Type] = [
            RootCommand.self, StillCommand.self, BurstCommand.self, StatusCommand.self, HoldCommand.self,
            ReleaseCommand.self, TriggerCommand.self, ScanCommand.self, DoctorCommand.self, ConfigureCommand.self,
            UploadCommand.self, WorkCommand.self, JobsListCommand.self, FilmCommand.self, RecordCommand.self,
        ]
        let help = commands.map { $0.helpMessage() }.joined()
        let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
        #expect(options.count > 10)
        for option in options { #expect(page.contains(option), "\(option)") }
        #expect(page.contains("TINTYPE_SOCKET"))
        #expect(page.contains("tintype \(TintypeVersion.current)"))
    }
}
