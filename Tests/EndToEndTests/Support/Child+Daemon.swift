// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

extension Child {
    /// TCP port of the daemon.
    var port: String {
        get async throws {
            // Up to the end of the line, which may be incomplete in the file.
            try await eventually("it serves over TCP") {
                errors.firstMatch(of: /serving over TCP.*tcp=127\.0\.0\.1:([0-9]+).*\n/).map { String($0.1) }
            }
        }
    }

    /// Ends a daemon by SIGTERM, and accepts that its exit guard cuts a slow stop short.
    func stop() async throws {
        signal(SIGTERM)
        let outcome = try await outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// Ends a daemon by a signal, and expects a clean stop: its log says so, its status is 0, and its socket is gone.
    ///
    /// A stop cut short by the exit guard logs another line.
    func expectStop(at site: Site, by signal: Int32 = SIGTERM) async throws {
        self.signal(signal)
        let outcome = try await outcome()
        #expect(outcome.errors.contains("notice stopped"), "\(outcome.errors)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: site.socket), "the socket file stays")
    }
}
