// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

extension Child {
    /// Ends a daemon by a signal, and expects it to leave in good order, and within a second by its log.
    func expectStop(at site: Site, by signal: Int32 = SIGTERM) async throws {
        let told = MonotonicTime.now()
        self.signal(signal)
        let outcome = try await outcome(within: .seconds(30))
        // A busy machine takes its time to end a process that is done, which is no other than one that hangs.
        #expect(.now() - told < .seconds(3) * Waiting.scale, "\(.now() - told): \(outcome.errors)")
        let stopping = try #require(Self.moment(of: "notice stopping", in: outcome.errors))
        let stopped = try #require(Self.moment(of: "notice stopped", in: outcome.errors))
        #expect(stopped - stopping < .seconds(1) * Waiting.scale, "\(outcome.errors)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: site.socket), "the socket file stays")
    }

    /// When the daemon wrote the line with these words.
    private static func moment(of words: String, in log: String) -> Timestamp? {
        let line = log.split(separator: "\n").first { $0.contains(words) }
        return line?.split(separator: " ").first.flatMap { Timestamp(String($0)) }
    }
}
