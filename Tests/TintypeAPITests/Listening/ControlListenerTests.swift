// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TintypeAPI

struct ControlListenerTests {
    private func refusal(_ path: String, group: String? = nil) -> String? {
        do {
            _ = try ControlListener(path: path, group: group)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func attributes(_ path: String) throws -> [FileAttributeKey: Any] {
        try FileManager.default.attributesOfItem(atPath: path)
    }

    @Test func `the socket appears at its path already listening, with its mode and group`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            let group = geteuid() == 0 ? 12_345 : Int(getgid())
            var listener = try ControlListener(path: path, mode: 0o600, group: "\(group)")
            #expect(!FileManager.default.fileExists(atPath: path))
            let taken = listener.takeDescriptor()
            let descriptor = try #require(taken)
            defer { close(descriptor) }
            #expect(listen(descriptor, 1) == 0)
            try listener.appear()
            #expect(UnixSocket.answers(at: path))
            #expect(try attributes(path)[.posixPermissions] as? Int == 0o600)
            #expect(try attributes(path)[.groupOwnerAccountID] as? Int == group)
            _ = consume listener
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["s.lock"])
        }
    }

    @Test func `a second daemon on the same path is refused`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            let first = try ControlListener(path: path)
            #expect(
                refusal(path)
                    == "Another tintyped is listening on \(path). Stop it, or give another path with --socket."
            )
            #expect(FileManager.default.fileExists(atPath: path + ".new"))
            _ = consume first
            #expect(refusal(path) == nil)
        }
    }

    @Test func `the socket file is removed with its listener`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            do {
                let listener = try ControlListener(path: path)
                try listener.appear()
                #expect(FileManager.default.fileExists(atPath: path))
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            // A listener that never listened leaves no socket either.
            _ = try ControlListener(path: path)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["s.lock"])
        }
    }

    @Test func `a file that replaced the socket is not removed`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            let listener = try ControlListener(path: path)
            try listener.appear()
            try FileManager.default.removeItem(atPath: path)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            _ = consume listener
            #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        }
    }

    @Test func `a path in use by another program's socket is refused`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/s"
            let other = try UnixSocket.bound(to: path)
            defer { close(other) }
            #expect(listen(other, 1) == 0)
            #expect(refusal(path)?.hasPrefix("Another program is listening on \(path).") == true)
            #expect(UnixSocket.answers(at: path))
        }
    }

    @Test func `a path to a file that is not a socket is refused`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["s", "t.new"] {
                let path = "\(folder)/\(name)"
                try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
                #expect(refusal("\(folder)/\(name.prefix(1))")?.contains("\(path) that is not a socket") == true)
                #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
            }
        }
    }

    @Test func `rejects a missing folder, a long path and an unknown group`() async throws {
        try await withTemporaryFolder { folder in
            #expect(refusal(folder + "/no/s")?.hasPrefix("The socket's folder \(folder)/no does not exist.") == true)
            let long = folder + "/" + String(repeating: "s", count: 103 - folder.utf8.count)
            #expect(refusal(long)?.contains("has 104 bytes and may have 103.") == true)
            #expect(refusal(String(long.dropLast())) == nil)
            #expect(
                refusal(folder + "/s", group: "no-such-group")?.hasPrefix("There is no group named no-such-group")
                    == true
            )
        }
    }

    @Test func `an unwritable folder is reported with the cause and a remedy`() throws {
        // Not even root can create files in sysfs.
        let error = try #require(refusal("/sys/tintyped.sock"))
        #expect(error.hasPrefix("open(2) of /sys/tintyped.sock.lock: "))
        #expect(error.hasSuffix(" or give another path with --socket."))
    }
}
