// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// File systems with fewer guarantees than others.
@Suite struct FileSystemTests {
    @Test(
        arguments: [
            (0xEF53, nil, ""), (0x5846_5342, nil, ""), (0x9123_683E, nil, ""), (0x794C_7630, nil, ""),
            (0x2011_BAB0, .data, "exFAT"), (0x4D44, .data, "FAT"), (0x6969, .data, "NFS"), (0xFF53_4D42, .data, "SMB"),
            (0xFE53_4D42, .data, "SMB"), (0x0102_1997, .data, "9P"), (0x6573_5546, Durability.none, "FUSE"),
            (0x0102_1994, Durability.none, "tmpfs"),
        ] as [(UInt32, Durability?, String)]
    )
    func `maps a weak file system to a lower durability with a message`(
        _ type: UInt32,
        _ durability: Durability?,
        _ word: String
    ) {
        let limit = FileSystemKind(type: type).limit(of: "/spool")
        #expect(limit?.durability == durability)
        #expect(limit.map { $0.sentence.contains("/spool is ") && $0.sentence.contains(word) } != false)
    }

    @Test func `detects the file system of a folder`() throws {
        #expect(try SystemFiles().kind(of: "/dev/shm") == .memory)
        let missing = #expect(throws: FileError.self) { try SystemFiles().kind(of: "/no/such/folder") }
        #expect(missing?.code == ENOENT)
    }

    @Test(arguments: [-9_999_999_999_999, 9_999_999_999_999])
    func `looks at a file whose time is beyond all calendars`(_ seconds: Int) throws {
        // tmpfs keeps any time.
        let path = "/dev/shm/tintype-\(UInt32.random(in: 0...UInt32.max))"
        defer { _ = unsafe unlink(path) }
        close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        try #require(unsafe utimensat(AT_FDCWD, path, [time, time], 0) == 0)
        let changed = try SystemFiles().status(of: path, following: false)?.changedAt
        // The later of its own time and that of its inode, which cannot be set.
        #expect(changed.map { $0 > Timestamp(microseconds: 1 << 52) } == (seconds > 0))
    }

    @Test(arguments: [(.dependable, 250), (.unmappable, 10)] as [(FileSystemKind, Int)])
    func `a page holds the storage thread briefly where no second connection reads it`(
        _ kind: FileSystemKind,
        _ milliseconds: Int
    ) async throws {
        let (folder, spool) = try await SpoolFolder.opened(files: FaultyFiles(as: kind))
        let time = try await spool.storage.perform("be looked at", until: soon) { spool in spool.catalog.pageTime }
        #expect(time == .milliseconds(milliseconds))
        await spool.close(until: soon)
        withExtendedLifetime(folder) {}
    }

    @Test func `saturates a byte count that overflows`() {
        for blocks in [UInt64(1) << 50, 1 << 52, .max] {
            #expect(SystemCalls.bytes(blocks, of: 4096) == UInt64(Int.max / 4))
        }
        #expect(SystemCalls.bytes(1000, of: 4096) == 4_096_000)
    }

    @Test func `promises a lower durability on a weak file system`() async throws {
        let files = FaultyFiles(as: .fat(name: "exFAT"))
        files.before { $0.verb == "make the link" ? EPERM : nil }
        let messages = MessageLog()
        let (folder, spool) = try await SpoolFolder.opened(files: files, logger: messages.logger)
        #expect(spool.report.limit?.durability == .data)
        let sentence = try #require(spool.report.limit?.sentence)
        #expect(messages.warnings.count { $0 == sentence } == 1)
        let record = try await spool.store(still(), durability: .full, until: soon)
        #expect(record.stored == .written)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
        #expect(try folder.sql("SELECT stored FROM frame") == ["written"])
    }

    @Test(arguments: [EPERM, EOPNOTSUPP])
    func `latest.jpg is a copy on a file system without symbolic links`(_ code: Int32) async throws {
        let files = FaultyFiles(as: .fat(name: "exFAT"))
        files.before { $0.verb == "make the link" ? code : nil }
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        for number in 0...1 {
            let bytes = picture + [UInt8](repeating: 0, count: number)
            _ = try await spool.store(still(number, picture: bytes), durability: .full, until: soon)
            #expect(try folder.bytes("door/latest.jpg") == bytes)
        }
        let status = try #require(try SystemFiles().status(of: "\(folder.path)/door/latest.jpg", following: false))
        #expect(status.kind == .file)
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    @Test func `a camera's own latest.jpg is whole at every moment`() async throws {
        let folder = SpoolFolder()
        var configuration = folder.configuration
        configuration.ownLatest = ["door"]
        let spool = try await SpoolStore.open(configuration)
        let large = picture + [UInt8](repeating: 0, count: 300_000)
        try await spool.replaceLatest(of: "door", by: large, until: soon)
        let reader = LinkReader("\(folder.path)/door/latest.jpg", whole: large)
        for number in 0..<100 {
            try await spool.replaceLatest(of: "door", by: large, until: soon)
            if number % 10 == 0 { _ = try await spool.store(still(number), durability: .none, until: soon) }
        }
        // Continues until the reader had enough turns on a busy machine.
        while reader.reads < 20 { try await spool.replaceLatest(of: "door", by: large, until: soon) }
        #expect(reader.stop() == 0)
        #expect(try folder.names(in: "door").contains("2026"))
        #expect(try folder.pictures().count == 10)
        _ = try await spool.store(still(camera: "yard"), durability: .none, until: soon)
        #expect(try folder.bytes("yard/latest.jpg") == picture)
        await spool.close(until: soon)
        // The file is not flushed: a power cut may truncate it, and the next start removes it.
        try folder.write([UInt8](large.prefix(100)), to: "door/latest.jpg")
        _ = try await SpoolStore.open(configuration)
        #expect(try !folder.names(in: "door").contains("latest.jpg"))
    }

    @Test func `a full disk leaves latest.jpg unchanged`() async throws {
        let files = FaultyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        try await spool.replaceLatest(of: "door", by: picture, until: soon)
        files.refuse(ENOSPC)
        let problem = await problem { try await spool.replaceLatest(of: "door", by: [1, 2, 3], until: soon) }
        #expect(problem?.code == .spoolFull)
        #expect(try folder.bytes("door/latest.jpg") == picture)
        #expect(try folder.names(in: ".incoming").isEmpty)
    }
}
