// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct ConnectingTests {
    @Test func `a missing socket, a stale socket and a too long path are distinct errors`() async throws {
        try await withTemporaryFolder { folder in
            let (missing, stale) = ("\(folder)/none/none.sock", "\(folder)/stale.sock")
            // A plain file refuses connections like a stale socket: unix(7), ECONNREFUSED.
            try Data().write(to: URL(filePath: stale))
            let long = "/tmp/" + String(repeating: "x", count: 200)
            let paths: [(String, ClientError.Kind, words: String)] = [
                (missing, .missing, missing), (stale, .refused, stale), (long, .connection, "too long"),
            ]
            for (path, kind, words) in paths {
                let error = await #expect(throws: ClientError.self) { try await ControlClient(socket: path).health() }
                #expect(error?.kind == kind && error?.detail.contains(words) == true, "\(path)")
                if kind == .missing { #expect(error?.remedy.contains("TINTYPE_SOCKET") == true) }
            }
        }
    }

    @Test func `permission denied names the group of the socket`() throws {
        let error = ClientError.connecting(
            to: "/etc/there.sock",
            IOError(errnoCode: EACCES, reason: "connect")
        )
        #expect(error.kind == .denied)
        // Membership in the group root would grant far more than the socket.
        #expect(error.remedy.contains("socket.group") && !error.remedy.contains("usermod"))
        #expect(ClientError.remedy(forGroup: "video").contains("usermod -aG video"))
        #expect(error.detail.contains("Your user may not use /etc/there.sock."))
    }

    @Test func `other errors have the system's message`() throws {
        let error = ClientError.connecting(to: "/s", IOError(errnoCode: EMFILE, reason: "connect"))
        #expect(error.kind == .connection)
        #expect(error.detail == "connect to /s: too many open files.")
    }
}
