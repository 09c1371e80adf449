// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import tintype

struct OutputTargetTests {
    private let old = Array("old".utf8)
    private let new = [UInt8](repeating: 0xA5, count: 300_000)

    private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    private func makeLink(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    private func target(of link: String) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: link)
    }

    @Test func `an existing file is replaced and keeps its permissions`() throws {
        try inTemporaryFolder { folder in
            let path = "\(folder)/a.jpg"
            try Data(old).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            // An open descriptor of the old file still has its whole contents.
            let reader = try #require(try? SystemCalls.openForWriting(path))
            defer { close(reader) }
            var before = stat()
            _ = unsafe fstat(reader, &before)
            try OutputTarget(path).write(new)
            #expect(try bytes(path) == new)
            var after = stat()
            _ = unsafe fstat(reader, &after)
            #expect(after.st_size == 3)
            #expect(after.st_nlink == 0)
            #expect(try SystemCalls.mode(path).map { $0 & 0o777 } == 0o640)
        }
    }

    @Test func `a symbolic link is kept and its target replaced or created`() throws {
        try inTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/sub", withIntermediateDirectories: false)
            try Data(old).write(to: URL(filePath: "\(folder)/old.jpg"))
            for name in ["old.jpg", "sub/new.jpg"] {
                let link = "\(folder)/link-to-\(name.suffix(7))"
                try makeLink(link, to: name)
                try OutputTarget(link).write(new)
                #expect(try bytes("\(folder)/\(name)") == new)
                #expect(try target(of: link) == name)
            }
            let circle = "\(folder)/circle.jpg"
            try makeLink(circle, to: "circle.jpg")
            #expect(throws: OutputError.self) { try OutputTarget(circle).write(new) }
            #expect(throws: OutputError.self) { _ = try AtomicFile(circle) }
        }
    }

    @Test func `an export writes and reads nothing through a symbolic link`() async throws {
        try await withTemporaryFolder { folder in
            var export = try FolderExport("\(folder)/out")
            try Data(old).write(to: URL(filePath: "\(folder)/old.jpg"))
            for name in ["new.jpg", "old.jpg"] {
                try makeLink("\(folder)/out/\(name)", to: "../\(name)")
                await #expect(throws: OutputError.self) {
                    _ = try await export.add(Sample.frame, as: name) { try await $0(old) }
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["old.jpg", "out"])
        }
    }

    @Test func `a link to an unlinked file is an error`() throws {
        try inTemporaryFolder { folder in
            let (path, link) = ("\(folder)/a.jpg", "\(folder)/link.jpg")
            try Data(old).write(to: URL(filePath: path))
            let descriptor = try #require(try? SystemCalls.openForWriting(path))
            defer { close(descriptor) }
            SystemCalls.remove(path)
            try makeLink(link, to: "/proc/self/fd/\(descriptor)")
            let error = #expect(throws: OutputError.self) { try OutputTarget(link).write(new) }
            #expect(error?.detail.hasSuffix("leads to a file that has no name any more.") == true)
            #expect(try target(of: link) == "/proc/self/fd/\(descriptor)")
        }
    }

    @Test func `a pipe is written to and stays a pipe`() throws {
        try inTemporaryFolder { folder in
            let path = "\(folder)/pipe"
            #expect(unsafe mkfifo(path, 0o600) == 0)
            let reader = unsafe open(path, O_RDWR | O_NONBLOCK)
            defer { close(reader) }
            try OutputTarget(path).write(old)
            var buffer = [UInt8](repeating: 0, count: 10)
            #expect(unsafe read(reader, &buffer, 10) == 3)
            #expect(Array(buffer.prefix(3)) == old)
            #expect(try SystemCalls.mode(path).map { $0 & S_IFMT } == S_IFIFO)
        }
    }

    @Test func `a folder or a file in a missing folder is refused`() throws {
        try inTemporaryFolder { folder in
            let one = #expect(throws: OutputError.self) { try OutputTarget(folder).check() }
            #expect(one?.detail == "\(folder) is a folder.")
            let two = #expect(throws: OutputError.self) { try OutputTarget("\(folder)/no/a.jpg").check() }
            #expect(two?.detail == "make a file in \(folder)/no: no such file or directory.")
            #expect(two?.remedy == "Make its folder first, or give another path.")
        }
    }
}
