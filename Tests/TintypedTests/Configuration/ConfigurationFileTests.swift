// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import TintypeModel

@testable import tintyped

struct ConfigurationFileTests {
    private let folder = TemporaryFolder()

    private func fault(_ path: String, isOptional: Bool = false) throws -> String {
        try #require(throws: ConfigurationError.self) {
            try ConfigurationReader.read(path: path, isOptional: isOptional)
        }.description
    }

    @Test func `rejects a named file that does not exist`() throws {
        let path = "\(folder.path)/none.yaml"
        #expect(try fault(path).hasPrefix("\(path): open: no such file or directory. Name an existing file"))
    }

    @Test func `the default file may be absent`() throws {
        let path = "\(folder.path)/none.yaml"
        #expect(try ConfigurationReader.read(path: path, isOptional: true) == nil)
    }

    @Test func `reads rules for tokens beside the configuration, and refuses other keys there`() throws {
        let digest = String(repeating: "a", count: 64)
        let file = "\(folder.path)/f.yaml"
        #expect(try ConfigurationReader.tokens(beside: file).isEmpty)
        let rule = "access:\n  - {token: \"sha256:\(digest)\", name: me, role: admin}\n"
        let path = try folder.write(rule, to: "tokens")
        let expected = AccessRule(.token(sha256: digest, name: "me"), .role(.admin, cameras: nil))
        #expect(try ConfigurationReader.tokens(beside: file) == [expected])
        // The last rule was removed.
        for rest in ["access:\n", "access:\n# none\n", ""] {
            _ = try folder.write(rest, to: "tokens")
            #expect(try ConfigurationReader.tokens(beside: file).isEmpty)
        }
        for other in ["ready: cameras\n", "  - {user: root, role: view}\n"] {
            _ = try folder.write(rule + other, to: "tokens")
            let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.tokens(beside: file) }
            #expect(error?.description == "\(path): The file has more than rules for tokens. Move the rest to \(file).")
        }
    }

    @Test func `rejects a folder in place of the file of tokens, which no flag names`() throws {
        let path = "\(folder.path)/tokens"
        try #require(unsafe mkdir(path, 0o700) == 0)
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.tokens(beside: "\(folder.path)/f.yaml")
        }
        let text = "\(error?.description ?? "")"
        #expect(text.hasPrefix("\(path): read: is a directory. Rename this folder") && !text.contains("--config"))
    }

    @Test func `rejects a folder in place of the default file`() throws {
        #expect(try fault(folder.path, isOptional: true).contains("is a directory. Name the file in it"))
    }

    @Test func `rejects invalid UTF-8 with line and column`() throws {
        let path = try folder.write(Array("# ü\n# ".utf8) + [0xFF, 0x0A], to: "f.yaml")
        #expect(try fault(path).hasPrefix("\(path):2:3: The file is not UTF-8."))
    }

    @Test func `rejects a file larger than 1 MiB`() throws {
        let path = try folder.write([UInt8](repeating: 0x23, count: ConfigurationFile.largest + 1), to: "f.yaml")
        #expect(try fault(path).contains("larger than 1 MiB"))
    }

    @Test func `rejects a pipe that nothing writes to, and reads another to its end`() throws {
        let path = "\(folder.path)/pipe"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ConfigurationFile.text(path: path, isOptional: false, patience: .zero)
        }
        #expect(error?.description.contains("Nothing is written to this pipe.") == true)
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        defer { close(ends[0]) }
        _ = unsafe write(ends[1], "socket: {}\n", 11)
        close(ends[1])
        #expect(try ConfigurationFile.text(path: "/dev/fd/\(ends[0])", isOptional: false) == "socket: {}\n")
    }

    @Test func `rejects an unreadable file with a remedy`() async throws {
        let path = try folder.write("socket: {}\n", to: "f.yaml")
        let isClosed = unsafe chmod(path, 0) == 0 && chmod(folder.path, 0o755) == 0
        try #require(isClosed)
        // Separate process without root privileges, because root may read every file.
        let result = await #expect(processExitsWith: .exitCode(78), observing: [\.standardErrorContent]) {
            [path = path as String] in
            if geteuid() == 0, seteuid(65_534) != 0 { exit(1) }
            do {
                _ = try ConfigurationReader.read(path: path, isOptional: true)
            } catch {
                StandardError.write("\(error)")
                exit(ConfigurationError.exitStatus)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("f.yaml: open: permission denied. Let the user of the daemon"), "\(text)")
    }
}
