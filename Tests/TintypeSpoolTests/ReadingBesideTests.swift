// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// What clients read goes beside what is stored, and so does the writing back of the catalog's log.
@Suite struct ReadingBesideTests {
    private let folder = SpoolFolder()

    /// Holds the next statement of the second connection whose text has `part` in it.
    private func hold(_ part: String, of spool: Spool) throws -> Hold {
        let hold = Hold()
        try spool.requiredReader.queue.writeWithoutTransaction { database in
            database.trace { event in
                if "\(event)".contains(part) { hold.pass() }
            }
        }
        return hold
    }

    @Test(arguments: Durability.allCases)
    func `a store ends while a page is being read, whose frames are those of that moment`(
        _ durability: Durability
    ) async throws {
        let spool = try await folder.open()
        let first = try await spool.store(still(), durability: durability, until: soon)
        let hold = try hold("FROM frame", of: spool)
        async let page = spool.frames(FrameQuery(), until: soon)
        try await hold.isReached()
        let second = try await spool.store(still(1), durability: durability, until: soon)
        // Of one that waits behind it the same holds.
        async let bytes = spool.picture(of: second.id, until: soon)
        _ = try await spool.change(FrameChange(.ids([first.id]), FrameEdit(pinned: true)), until: soon)
        hold.release()
        #expect(try await page.frames.map(\.still.id).contains(first.id))
        #expect(try await bytes == picture)
        // What was committed before a question is in its answer.
        #expect(try await spool.frames(FrameQuery(), until: soon).frames.map(\.still.id) == [second.id, first.id])
        #expect(try await spool.frame(first.id, until: soon).pinned)
    }

    @Test func `a store ends while the log is written back, and the log starts over after that`() async throws {
        let spool = try await folder.open()
        let hold = try hold("wal_checkpoint", of: spool)
        let size = try folder.size("catalog.sqlite")
        try await insert(400, into: spool)
        try await hold.isReached()
        _ = try await spool.store(still(), durability: .full, until: soon)
        // Not by the thread that commits.
        #expect(try folder.size("catalog.sqlite") == size)
        let length = try folder.size("catalog.sqlite-wal")
        #expect(length > CatalogReader.checkpointPages * 4096)
        hold.release()
        try await eventually("it is in the main file") { try folder.size("catalog.sqlite") > size }
        // Another checkpoint has nothing to do, and comes after it.
        try await spool.finishReading()
        _ = try await spool.store(still(1), durability: .full, until: soon)
        #expect(try folder.size("catalog.sqlite-wal") <= length)
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["402"])
        await spool.close(until: soon)
    }

    @Test func `a log that nobody else writes back is written back by who commits, before it is long`() async throws {
        let spool = try await folder.open()
        let hold = try hold("wal_checkpoint", of: spool)
        let size = try folder.size("catalog.sqlite")
        try await insert(2000, into: spool)
        try await hold.isReached()
        #expect(try folder.size("catalog.sqlite") > size)
        #expect(try folder.size("catalog.sqlite-wal") < 2 * CatalogReader.mostPages * 4096)
        hold.release()
        await spool.close(until: soon)
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["2000"])
    }

    @Test func `without a second connection everything is asked of the first`() async throws {
        let spool = try await folder.open()
        let record = try await spool.store(still(), durability: .full, until: soon)
        try spool.requiredReader.close()
        try await expectReadable(record, in: spool)
        await spool.close(until: soon)
        let again = try await folder.open(files: FaultyFiles(as: .unmappable))
        let reader = again.reader.withLock(\.self)
        #expect(reader == nil)
        try await expectReadable(record, in: again)
        // Stills wait for a page then.
        #expect(try await again.perform("be asked", until: soon) { storage in storage.pageTime } == .milliseconds(10))
    }

    @Test func `a change that fits nothing holds the storage thread for one step of its search`() async throws {
        let spool = try await folder.open()
        let filter = try FrameFilter(parsing: "bytes>1M")
        let end = try await spool.perform("be filled", until: soon) { storage throws(Problem) in
            try storage.catalog.insert((0..<5000).map { FrameRow($0) }, isDurable: false, at: noon)
            return try storage.next(100, fitting: filter, after: nil) { storage, ids throws(Problem) in
                try storage.delete(ids)
            }.last
        }
        // Of so many frames it has looked at the first thousand.
        #expect(end != nil)
    }

    @Test func `nothing is read of a spool that is closed, and nothing of it is held open`() async throws {
        let spool = try await folder.open()
        let record = try await spool.store(still(), durability: .full, until: soon)
        try await expectReadable(record, in: spool)
        await spool.close(until: soon)
        #expect(try folder.openPaths().isEmpty)
        #expect(await problem { try await spool.picture(of: record.id, until: soon) }?.code == .stopping)
        // All of it is in the main file.
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/catalog.sqlite-wal"))
    }

    private func expectReadable(_ record: StillRecord, in spool: Spool) async throws {
        #expect(try await spool.frames(FrameQuery(), until: soon).frames.map(\.still.id) == [record.id])
        #expect(try await spool.frame(record.id, until: soon).still.path == record.path)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
    }

    /// Inserts rows, one after the other, so that each takes some pages of the log.
    private func insert(_ count: Int, into spool: Spool) async throws {
        try await spool.perform("be filled", until: soon) { storage throws(Problem) in
            for number in 0..<count {
                try storage.catalog.insert([FrameRow(number, camera: "yard")], isDurable: false, at: noon)
            }
        }
    }
}

extension Spool {
    /// Its second connection, which it must have.
    fileprivate var requiredReader: CatalogReader {
        get throws {
            let reader = reader.withLock(\.self)
            return try #require(reader)
        }
    }

    /// Returns once all is done that was asked of the second connection.
    fileprivate func finishReading() async throws {
        let late = Problem(.deadlineExceeded, "Late.", remedy: "None.")
        try await requiredReader.thread.perform(until: soon, otherwise: late) { _ in }
    }
}
