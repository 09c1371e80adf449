// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    /// The built reader of codes, alone and in the daemon.
    @Suite struct CodeTests {
        private static let reader = Programs.folder.appending(path: "tintype-codes").path

        private func python(_ arguments: String...) async throws -> String {
            try await Site.with { site in
                try await site.python("read-codes", [arguments[0], Self.reader] + arguments.dropFirst())
            }
        }

        @Test func `twenty printed codes and texts of other encodings are read as zbarimg reads them`() async throws {
            #expect(try await python("compare") == "20")
        }

        @Test(arguments: [1, 2]) func `a thousand pictures of noise end no reader`(seed: Int) async throws {
            #expect(try await python("noise", "1000", "\(seed)") == "1000")
        }

        @Test func `the reader limits its memory, its time and its calls before it reads a picture`() async throws {
            #expect(try await python("confined") == "1 256 0 5\n0")
        }

        @Test func `a reader that is killed costs no picture`() async throws {
            try await Site.with { site in
                let configuration = """
                    cameras:
                      pattern: {pattern: "YUYV:1280x720@30", codes: true}

                    """
                let daemon = try await site.startDaemon([], configuration: configuration)
                let killReader = { @Sendable in
                    Self.children(of: daemon.pid).contains { kill($0, SIGKILL) == 0 }
                }
                for _ in 1...3 {
                    try await eventually("a reader is killed") { killReader() }
                    _ = try await site.still()
                }
                // One that had ended already can be killed, too, and is not told of.
                try await eventually("it is logged") {
                    _ = killReader()
                    return daemon.errors.contains("codes are not read: ")
                }
                #expect(daemon.errors.contains("by signal 9"))
                let status = try await site.client.camera("pattern")
                #expect(status.failing == nil && status.counters.opened == 1 && status.holds.map(\.owner) == ["codes"])
                #expect(try await site.client.health().status == .ok)
                let scan = try await site.tintype("scan", "--deadline", "10m")
                #expect(scan.status == 1 && scan.text.isEmpty && scan.errors.isEmpty)
            }
        }

        /// Processes whose parent is `pid`, from proc_pid_stat(5).
        private static func children(of pid: pid_t) -> [pid_t] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.compactMap { pid_t($0) }.filter { child in
                guard let stat = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8) else {
                    return false
                }
                return stat.split(separator: ")").last?.split(separator: " ").dropFirst().first == "\(pid)"
            }
        }
    }
}
