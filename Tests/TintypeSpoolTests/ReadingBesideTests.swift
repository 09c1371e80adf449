// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Concurrency of client reads, stores and WAL checkpoints.
@Suite struct ReadingBesideTests {
    private let folder = SpoolFolder()

    /// Holds the next statement of the second connection that contains `part`.
    private func hold(_ part: String, of spool: SpoolStore) throws -> Hold {
        let hold = Hold()
        try spool.requiredReader.queue.writeWithoutTransaction { database in
            database.trace { event in
                if "\(event)".contains(part) { hold.pass() }
            }
        }
        return hold
    }

    @Test(arguments: Durability.allCases, [FrameQuery(), FrameQuery(after: 0)])
    func `a store completes while a page is being read`(_ durability: Durability, _ query: FrameQuery) async throws {
        let spool = try await folder.open()
        let first = try await spool.store(still(), durability: durability, until: soon)
        let hold = try hold("FROM frame", of: spool)
        async let page = spool.frames(query, until: soon)
        try await hold.isReached()
        let second = try await spool.store(still(1), durability: durability, until: soon)
        // The same holds for a read queued behind it.
        async let bytes = spool.picture(of: second.id, until: soon)
        _ = try await spool.change(FrameChange(.ids([first.id]), FrameEdit(pinned: true)), until: soon)
        hold.release()
        #expect(try await page.frames.map(\.still.id).contains(first.id))
        #expect(try await bytes == picture)
        // An answer includes everything committed before its request.
        #expect(try await spool.frames(FrameQuery(), until: soon).frames.map(\.still.id) == [second.id, first.id])
        #expect(try await spool.frame(first.id, until: soon).pinned)
    }

    @Test func `frames are counted for each span that has some, also without a second connection`() async throws {
        let spool = try await folder.open()
        var ids: [FrameID] = []
        for number in [0, 1, 3] { ids.append(try await spool.store(still(number), durability: .full, until: soon).id) }
        let begin = noon.microseconds / 1000 * 1000
        let times = (0...5).map { Timestamp(microseconds: begin + $0 * 1_000_000) }
        let query = FrameSpanQuery(times: [times[0], times[2], times[3], times[5]])
        let spans = [
            FrameSpan(from: times[0], to: times[2], frames: 2, newest: ids[1]),
            FrameSpan(from: times[3], to: times[5], frames: 1, newest: ids[2]),
        ]
        #expect(try await spool.spans(query, until: soon) == spans)
        try spool.requiredReader.close()
        #expect(try await spool.spans(query, until: soon) == spans)
        let none = FrameSpanQuery(filter: .is(.tag("none")), times: times)
        #expect(try await spool.spans(none, until: soon).isEmpty)
    }

    @Test func `a count that takes too much CPU time is not repeated on the storage thread`() async throws {
        let spool = try await folder.open()
        try await spool.storage.perform("be filled", until: soon) { spool throws(Problem) in
            try spool.catalog.insert((0..<5000).map { FrameRow($0) }, isDurable: false, at: noon)
        }
        let limit = StatementLimit(time: .zero)
        let path = "\(folder.path)/catalog.sqlite"
        let reader = try CatalogReader(path: path, limit: limit, clock: .system, logger: .quiet)
        spool.storage.reader.withLock { $0 = reader }
        let times = [Timestamp(microseconds: 0), Timestamp(microseconds: 2 * noon.microseconds)]
        let query = FrameSpanQuery(filter: try FrameFilter(parsing: "bytes>1"), times: times)
        let refused = await problem { try await spool.spans(query, until: soon) }
        #expect(refused?.remedy == "Ask with a simpler filter.", "\(String(describing: refused))")
        reader.close()
        #expect(try await spool.spans(query, until: soon).first?.frames == 5000)
    }

    @Test func `an endless read of a damaged catalog is left to the storage thread`() async throws {
        let spool = try await folder.open()
        let limit = StatementLimit(time: .zero)
        let path = "\(folder.path)/catalog.sqlite"
        let reader = try CatalogReader(path: path, limit: limit, clock: .system, logger: .quiet)
        defer { reader.close() }
        let endless = "WITH RECURSIVE one(n) AS (SELECT 1 UNION ALL SELECT n FROM one) SELECT count(*) FROM one"
        let answer = reader.answer { catalog throws(Problem) in
            try catalog.connection.read { try Int.fetchOne($0, sql: endless) }
        }
        #expect(answer == nil)
        await spool.close(until: soon)
    }

    @Test func `a store completes during a WAL checkpoint`() async throws {
        let spool = try await folder.open()
        let hold = try hold("wal_checkpoint", of: spool)
        let size = try folder.size("catalog.sqlite")
        try await insert(400, into: spool)
        try await hold.isReached()
        _ = try await spool.store(still(), durability: .full, until: soon)
        // The committing thread does not write back.
        #expect(try folder.size("catalog.sqlite") == size)
        let length = try folder.size("catalog.sqlite-wal")
        #expect(length > CatalogReader.checkpointPages * 4096)
        hold.release()
        try await eventually("it is in the main file") { try folder.size("catalog.sqlite") > size }
        // Queued behind the first checkpoint.
        try await spool.finishReading()
        _ = try await spool.store(still(1), durability: .full, until: soon)
        #expect(try folder.size("catalog.sqlite-wal") <= length)
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["402"])
        await spool.close(until: soon)
    }

    @Test func `the writer checkpoints a WAL that grows too long`() async throws {
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

    @Test func `reads use the first connection if the second is missing`() async throws {
        let spool = try await folder.open()
        let record = try await spool.store(still(), durability: .full, until: soon)
        try spool.requiredReader.close()
        try await expectReadable(record, in: spool)
        await spool.close(until: soon)
        let again = try await folder.open(files: FaultyFiles(as: .unmappable))
        let reader = again.storage.reader.withLock(\.self)
        #expect(reader == nil)
        try await expectReadable(record, in: again)
        // Stills then wait for a page to be read.
        #expect(
            try await again.storage.perform("be asked", until: soon) { spool in spool.catalog.pageTime }
                == .milliseconds(10)
        )
    }

    @Test func `a change without matches blocks the storage thread for one search step`() async throws {
        let spool = try await folder.open()
        let filter = try FrameFilter(parsing: "bytes>1M")
        let end = try await spool.storage.perform("be filled", until: soon) { spool throws(Problem) in
            try spool.catalog.insert((0..<5000).map { FrameRow($0) }, isDurable: false, at: noon)
            return try spool.catalog.lists.search(filter, order: .oldest, limit: 100, within: .zero).end
        }
        // The search has covered only the first thousand frames.
        #expect(end != nil)
    }

    @Test func `a spool closes while its disk does not return a picture`() async throws {
        let files = FaultyFiles()
        let spool = try await folder.open(files: files)
        let record = try await spool.store(still(), durability: .full, until: soon)
        let reader = try spool.requiredReader
        let hold = Hold()
        files.once({ $0.verb == "read" && $0.path.hasSuffix(".jpg") }, hold.pass)
        async let bytes = try? spool.picture(of: record.id, until: soon)
        try await hold.isReached()
        // Otherwise the close would wait for the held thread.
        let isFree = reader.catalog.withLockIfAvailable { _ in true } ?? false
        if isFree { #expect(await spool.close(until: soon)) }
        hold.release()
        #expect(await bytes == picture)
        #expect(isFree, "the read of a file holds the connection")
    }

    @Test func `a closed spool holds no file open`() async throws {
        let spool = try await folder.open()
        let record = try await spool.store(still(), durability: .full, until: soon)
        try await expectReadable(record, in: spool)
        await spool.close(until: soon)
        #expect(try folder.openPaths().isEmpty)
        #expect(await problem { try await spool.picture(of: record.id, until: soon) }?.code == .stopping)
        // The WAL was written back completely.
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/catalog.sqlite-wal"))
    }

    private func expectReadable(_ record: StillRecord, in spool: SpoolStore) async throws {
        #expect(try await spool.frames(FrameQuery(), until: soon).frames.map(\.still.id) == [record.id])
        #expect(try await spool.frame(record.id, until: soon).still.path == record.path)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
    }

    /// Inserts rows one by one, so that each takes some pages of the WAL.
    private func insert(_ count: Int, into spool: SpoolStore) async throws {
        try await spool.storage.perform("be filled", until: soon) { spool throws(Problem) in
            for number in 0..<count {
                try spool.catalog.insert([FrameRow(number, camera: "yard")], isDurable: false, at: noon)
            }
        }
    }
}

extension SpoolStore {
    /// The second connection, which must exist.
    fileprivate var requiredReader: CatalogReader {
        get throws {
            let reader = storage.reader.withLock(\.self)
            return try #require(reader)
        }
    }

    /// Returns once all requests to the second connection are done.
    fileprivate func finishReading() async throws {
        let late = Problem(.deadlineExceeded, "Late.", remedy: "None.")
        try await requiredReader.thread.perform(until: soon, otherwise: late) { _ in }
    }
}
