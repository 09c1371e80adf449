// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// Power cuts at every flush: Tests/VirtualMachine/power-cut records, cuts and checks the disks, and this test opens
/// the spools as the daemon does.
@Suite(.requiresDisks, .serialized) struct DiskCutTests {
    @Test(arguments: ["ext4", "xfs", "btrfs"])
    func `a power cut at any flush keeps the promise of each durability`(_ kind: String) async throws {
        let folder = try #require(Disks.folder) + "/\(kind)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let arguments = [kind, folder, Repository.programs.path]
        let judge = try Conversation("\(Repository.folder.path)/Tests/VirtualMachine/power-cut", arguments)
        var said: [String] = []
        while let line = judge.next() {
            guard line.hasPrefix("open ") else {
                said.append(line)
                // Printed at once to show progress: the number of states and the time spent.
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

    /// Opens and closes a spool like a start and stop of the daemon.
    private func restart(_ path: String) async throws {
        // Long enough for an emulated machine.
        let late = MonotonicTime.now() + .seconds(300)
        let spool = try await SpoolStore.open(SpoolStore.Configuration(folder: path), until: late)
        do {
            try await spool.keep()
        } catch {
            await spool.close(until: late)
            throw error
        }
        await spool.close(until: late)
    }
}

/// Permission to create disks and file systems.
enum Disks {
    /// A folder on a dedicated machine: `TINTYPE_TEST_DISKS`.
    static let folder = ProcessInfo.processInfo.environment["TINTYPE_TEST_DISKS"]
}

extension Trait where Self == ConditionTrait {
    static var requiresDisks: Self {
        .enabled(
            if: Disks.folder != nil,
            "dm-log-writes and loop devices are in the virtual machine, where TINTYPE_TEST_DISKS names a folder"
        )
    }
}

/// A child process with a line-based protocol.
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

    /// Blocks until the next line of its output; returns nil at the end of the output.
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

    /// Writes a line to its input.
    func answer(_ line: String) {
        let text = line.replacingOccurrences(of: "\n", with: " ") + "\n"
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Waits for its exit and returns its status and standard error.
    func end() -> (status: Int32, errors: String) {
        process.waitUntilExit()
        return (process.terminationStatus, (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")
    }
}
