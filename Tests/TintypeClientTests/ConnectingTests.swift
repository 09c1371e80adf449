// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeClient

struct ConnectingTests {
    private func failure(_ socket: String) async -> ClientError? {
        await #expect(throws: ClientError.self) { try await ControlClient(socket: socket).health() }
    }

    @Test func `without a socket it says that tintyped does not run`() async throws {
        let path = "/tmp/tintype-\(UUID().uuidString)/none.sock"
        let error = await failure(path)
        #expect(error?.kind == .missing)
        #expect(error?.detail.contains(path) == true)
        #expect(error?.remedy.contains("TINTYPE_SOCKET") == true)
    }

    @Test func `a socket file that was left behind is refused`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/stale.sock"
            // A plain file refuses as a dead socket does: unix(7), ECONNREFUSED.
            try Data().write(to: URL(filePath: path))
            let error = await failure(path)
            #expect(error?.kind == .refused)
            #expect(error?.detail.contains(path) == true)
        }
    }

    @Test func `a path that is too long is an error of its own`() async throws {
        let error = await failure("/tmp/" + String(repeating: "x", count: 200))
        #expect(error?.kind == .connection)
        #expect(error?.detail.contains("too long") == true)
    }

    @Test func `a refused user is told the group of the socket`() throws {
        let error = ClientError.connecting(
            to: "/etc/passwd/not/there.sock",
            IOError(errnoCode: EACCES, reason: "connect")
        )
        #expect(error.kind == .denied)
        // Membership of root would give far more than the socket.
        #expect(error.remedy.contains("socket.group") && !error.remedy.contains("usermod"))
        #expect(ClientError.remedy(forGroup: "video").contains("usermod -aG video"))
        #expect(error.detail.contains("/etc/passwd/not/there.sock"))
    }

    @Test func `any other error has the system's words`() throws {
        let error = ClientError.connecting(to: "/s", IOError(errnoCode: EMFILE, reason: "connect"))
        #expect(error.kind == .connection)
        #expect(error.detail == "connect to /s: too many open files.")
    }
}
