// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// What the catalog keeps of a record.
@Suite struct RecordTests {
    private var full: Still {
        var still = still()
        still.record.settled = false
        still.record.verdict = .tolerated
        still.record.faults = [.notJPEG, .truncated]
        still.record.appearance = [.black, .frozen]
        still.record.tags = ["night", "door-2"]
        still.record.average = 4
        still.record.gapMs = Milliseconds(.microseconds(812_345))
        return still
    }

    @Test func `a record tells later what the reply told, also after a restart`() async throws {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        var told = try await spool.store(full, durability: .full, until: soon)
        // How long it took is of the reply only.
        told.phasesMs = nil
        #expect(told.tags == ["night", "door-2"])
        #expect(try await spool.frame(told.id, until: soon).still == told)
        await spool.close(until: soon)
        let again = try await folder.open()
        #expect(try await again.frame(told.id, until: soon).still == told)
    }

    @Test func `what is not known of a picture is not made up`() async throws {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        let stored = try await spool.store(still(), durability: .none, until: soon)
        let found = try await spool.frame(stored.id, until: soon).still
        #expect(found.settled == nil && found.verdict == nil && found.faults == nil && found.appearance == nil)
        #expect(found.tags == nil && found.average == nil && found.gapMs == nil)
    }

    @Test func `the catalog says in which boot a picture was stored, and when by either clock`() async throws {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        let (wall, monotonic) = (Timestamp.now().microseconds, MonotonicTime.now().nanoseconds)
        _ = try await spool.store(still(), durability: .full, until: soon)
        let rows = try folder.sql("SELECT bootID, storedAt, storedMonotonicNs FROM frame")
        let row = try #require(rows.first).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        try #require(row.count == 3)
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(row[0] == boot.trimmingCharacters(in: .newlines))
        let stored = try (wall: #require(Int64(row[1])), monotonic: #require(Int64(row[2])))
        #expect((wall...Timestamp.now().microseconds).contains(stored.wall))
        #expect((monotonic...MonotonicTime.now().nanoseconds).contains(stored.monotonic))
    }

    @Test func `a catalog of the first version is taken over with its rows`() async throws {
        let folder = try SpoolFolder()
        let first = try await folder.open()
        let old = try await first.store(still(), durability: .full, until: soon)
        await first.close(until: soon)
        try makeFirstVersion(folder.path + "/catalog.sqlite")
        let spool = try await folder.open()
        let found = try await spool.frame(old.id, until: soon).still
        #expect(found.path == old.path && found.sha256 == old.sha256 && found.sequence == old.sequence)
        #expect(found.verdict == nil && found.tags == nil)
        let new = try await spool.store(full, durability: .full, until: soon)
        #expect(try await spool.frame(new.id, until: soon).still.faults == [.notJPEG, .truncated])
        await spool.close(until: soon)
        // Not rebuilt from the files, which would have given it another id.
        #expect(try folder.names(in: "").filter { $0.hasPrefix("catalog") } == ["catalog.sqlite"])
    }

    @Test(arguments: ["verdict = 'fine'", "faults = 'truncated,gone'", "appearance = 'ugly'"])
    func `a value that nobody wrote is damage, and the catalog is rebuilt`(_ change: String) async throws {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        let old = try await spool.store(full, durability: .full, until: soon)
        await spool.close(until: soon)
        let queue = try DatabaseQueue(path: folder.path + "/catalog.sqlite")
        try await queue.write { try $0.execute(sql: "UPDATE frame SET \(change)") }
        try queue.close()
        let again = try await folder.open()
        #expect(
            await #expect(throws: Problem.self) { try await again.frame(old.id, until: soon) }?.code == .frameNotFound
        )
        #expect(try folder.pictures().count == 1)
    }

    /// Makes the catalog one that the first version could have written: by what that wrote, not by what it is now.
    private func makeFirstVersion(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            let columns =
                "id, camera, path, bytes, width, height, sequence, capturedAt, timestampSource, uncertaintyNs, storedAt, "
                + "stored, sha256, bootID, storedMonotonicNs, isClockSynchronized"
            let values = columns.replacing("sha256", with: "lower(hex(sha256))").replacing(
                "id, camera",
                with: "\(idText), camera"
            )
            let triggers = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
            try database.execute(
                sql: """
                    DROP TABLE cameraTotal;
                    DROP TABLE frameTag;
                    DROP TABLE tombstone;
                    DROP TABLE damagedFrame;
                    \(triggers.map { "DROP TRIGGER \($0);" }.joined(separator: " "))
                    ALTER TABLE frame RENAME TO newer;
                    CREATE TABLE "frame" ("id" TEXT PRIMARY KEY NOT NULL, "camera" TEXT NOT NULL,
                      "path" TEXT NOT NULL UNIQUE, "bytes" INTEGER NOT NULL, "width" INTEGER NOT NULL,
                      "height" INTEGER NOT NULL, "sequence" INTEGER NOT NULL, "capturedAt" INTEGER NOT NULL,
                      "timestampSource" TEXT NOT NULL, "uncertaintyNs" INTEGER, "storedAt" INTEGER NOT NULL,
                      "stored" TEXT NOT NULL, "sha256" TEXT NOT NULL, "bootID" TEXT NOT NULL,
                      "storedMonotonicNs" INTEGER NOT NULL, "isClockSynchronized" INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    INSERT INTO frame (\(columns)) SELECT \(values) FROM newer;
                    DROP TABLE newer;
                    CREATE INDEX "frame_camera_capturedAt" ON "frame"("camera", "capturedAt");
                    DELETE FROM grdb_migrations WHERE identifier <> 'v1';
                    """
            )
            #expect(try database.columns(in: "frame").count == 16)
        }
        try queue.close()
    }
}
