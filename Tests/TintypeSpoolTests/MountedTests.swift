// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// Spools on mounted file systems, which need root.
@Suite(.requiresMounting) struct MountedTests {
    @Test func `opening fails on a disk without any room`() async throws {
        try await MemoryDisk.mounted("size=16k") { folder in
            #expect(await problem { try await folder.open() }?.code == .spoolFull)
        }
    }

    @Test func `opens a read-only file system only after a remount`() async throws {
        try await MemoryDisk.mounted("size=8m") { folder in
            try await folder.restart()
            // A process forked by another test holds the spool's files open until its exec.
            try await eventually("nothing has a file open for writing") {
                (try? shellOutput("mount", "-o", "remount,ro", folder.path)) != nil
            }
            let problem = await #expect(throws: Problem.self) { try await folder.open() }
            #expect(problem?.code == .spoolUnavailable)
            #expect(problem?.detail.contains("read-only file system") == true)
            #expect(problem?.remedy.contains("read-write") == true)
            try shellOutput("mount", "-o", "remount,rw", folder.path)
            try await folder.restart()
        }
    }

    @Test func `an unmounted disk makes its spool unavailable until it is back`() async throws {
        let other = SpoolFolder()
        let second = try await other.open()
        try await MemoryDisk.mounted("size=8m") { folder in
            let configuration = SpoolStore.Configuration(folder: folder.path + "/spool")
            let spool = try await SpoolStore.open(configuration)
            _ = try await spool.store(still(), durability: .full, until: soon)
            try shellOutput("umount", "-l", folder.path)
            #expect(try await spool.refusal(of: still(1)).code == .spoolUnavailable)
            try await eventually("the state says so") { spool.state.name == .unavailable }
            // The next attempt detects the missing mount.
            let gone = try await spool.refusal(of: still(2))
            #expect(gone.detail.contains("nothing is mounted at \(folder.path) any more"), "\(gone)")
            #expect(try folder.names(in: "").isEmpty)
            // Another spool is not affected.
            let record = try await second.store(still(3), durability: .full, until: soon)
            #expect(try await second.picture(of: record.id, until: soon) == picture)
            try MemoryDisk.mount(on: folder.path, "size=8m")
            let running = Task { await spool.run() }
            try await eventually("it is open again") { spool.state == .available }
            running.cancel()
            let after = try await spool.store(still(4), durability: .full, until: soon)
            #expect(try await spool.picture(of: after.id, until: soon) == picture)
            await spool.close(until: soon)
        }
    }

    @Test func `rejects a file system mounted on the incoming folder`() async throws {
        let folder = SpoolFolder()
        let problem = try await MemoryDisk.mounted(on: "\(folder.path)/.incoming", "size=1m") {
            await #expect(throws: Problem.self) { try await folder.open() }
        }
        #expect(problem?.code == .spoolUnavailable)
        #expect(problem?.detail.contains("\(folder.path)/.incoming") == true)
        #expect(problem?.remedy.contains("one file system") == true)
    }

    @Test func `a file system mounted on a camera's folder fails only that camera`() async throws {
        let folder = SpoolFolder()
        try await MemoryDisk.mounted(on: "\(folder.path)/yard", "size=1m") {
            let messages = MessageLog()
            let spool = try await folder.open(logger: messages.logger)
            #expect(messages.errors.contains { $0.contains("\(folder.path)/yard") })
            _ = try await spool.store(still(camera: "door"), durability: .full, until: soon)
            #expect(try await spool.refusal(of: still(camera: "yard")).remedy.contains("one file system"))
            #expect(try folder.names(in: ".incoming").isEmpty)
            await spool.close(until: soon)
        }
    }
}
