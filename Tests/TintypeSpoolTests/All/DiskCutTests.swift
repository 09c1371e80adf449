// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// Disks whose power is cut at every flush: Tests/VirtualMachine/power-cut records, cuts and judges, and has spools opened
/// here, as the daemon opens them.
@Suite(.requiresDisks, .serialized) struct DiskCutTests {
    @Test(arguments: ["ext4", "xfs", "btrfs"])
    func `what each durability promises, and what was deleted, outlasts a power cut at any flush`(
        _ kind: String
    ) async throws {
        let folder = try #require(Disks.folder) + "/\(kind)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let arguments = [kind, folder, Programs.folder]
        let judge = try Conversation("\(Programs.repository)/Tests/VirtualMachine/power-cut", arguments)
        var said: [String] = []
        while let line = judge.next() {
            guard line.hasPrefix("open ") else {
                said.append(line)
                // At once, for whoever looks at how far it is: how many states there are, and where the time goes.
                print(line)
                fflush(nil)
                continue
            }
            do {
                try await restart(String(line.dropFirst(5)))
                judge.answer("done")
            } catch {
                judge.answer("\(error)")
            }
        }
        let (status, errors) = judge.end()
        #expect(status == 0, "\(said.joined(separator: "\n"))\n\(errors)")
    }

    /// What a start of the daemon does with a spool, and its stop.
    private func restart(_ path: String) async throws {
        // In an emulated machine.
        let late = MonotonicTime.now() + .seconds(300)
        let spool = try await Spool.open(Spool.Configuration(folder: path), until: late)
        do {
            try await spool.keep()
        } catch {
            await spool.close(until: late)
            throw error
        }
        await spool.close(until: late)
    }
}

/// Where tests may make disks and file systems of their own.
enum Disks {
    /// A folder in a machine that nobody else uses: `TINTYPE_TEST_DISKS`.
    static let folder = ProcessInfo.processInfo.environment["TINTYPE_TEST_DISKS"]
}

/// Where the programs under test and this repository are.
enum Programs {
    /// The folder with `tintyped`: `TINTYPE_TEST_BINARIES`, else the one that holds the test bundle.
    static let folder: String = {
        if let folder = ProcessInfo.processInfo.environment["TINTYPE_TEST_BINARIES"], !folder.isEmpty { return folder }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }()
    /// The top of the repository.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
}

extension Trait where Self == ConditionTrait {
    static var requiresDisks: Self {
        .enabled(
            if: Disks.folder != nil,
            "dm-log-writes and loop devices are in the virtual machine, where TINTYPE_TEST_DISKS names a folder"
        )
    }
}

/// A program that a test talks with, line by line.
final class Conversation {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private let errors: String
    private var rest: [UInt8] = []

    init(_ program: String, _ arguments: [String]) throws {
        errors = FileManager.default.temporaryDirectory.path + "/tintype-conversation-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
        try process.run()
    }

    deinit { try? FileManager.default.removeItem(atPath: errors) }

    /// The next line that it writes; nil once it has closed its output.
    ///
    /// Blocks.
    func next() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            rest += data
        }
    }

    /// Writes it a line.
    func answer(_ line: String) {
        let text = line.replacingOccurrences(of: "\n", with: " ") + "\n"
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Waits for its end: its exit status, and what it wrote to standard error.
    func end() -> (status: Int32, errors: String) {
        process.waitUntilExit()
        return (process.terminationStatus, (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")
    }
}
