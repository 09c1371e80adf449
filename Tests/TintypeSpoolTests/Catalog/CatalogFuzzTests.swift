// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Catalogs that other programs and failing disks have spoiled at random: none ends the daemon, and none stays unusable.
///
/// `TINTYPE_CATALOG_FUZZ=SEED:COUNT` draws COUNT catalogs from SEED on; each has a seed of its own, one greater than the
/// one before.
@Suite struct CatalogFuzzTests {
    /// A closed spool of nine pictures of two cameras, with tags, a pin and a tombstone, and a picture outside of it.
    private static func spool() async throws -> SpoolFolder {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        for number in 0..<10 {
            var still = still(number, camera: number % 3 == 0 ? "yard" : "door")
            if number % 2 == 0 { still.record.tags = ["alarm", "t\(number)"] }
            let id = try await spool.store(still, durability: .none, until: soon).id
            if number == 4 { _ = try await spool.change(FrameChange(.ids([id]), FrameEdit(pinned: true)), until: soon) }
            if number == 9 { _ = try await spool.delete(.ids([id]), until: soon) }
        }
        await spool.close(until: soon)
        return folder
    }

    /// Opens the spool and does with it all that the daemon does; a failure may need several turns to be mended.
    private static func use(_ folder: SpoolFolder, _ number: Int) async throws -> FrameID {
        var configuration = folder.configuration
        configuration.retention = RetentionSettings(maxAge: .seconds(86_400 * 3650), maxFrames: 1000)
        let (spool, _) = await Spool.openOrWait(configuration, logger: quiet, until: soon)
        var outcome: Result<FrameID, any Error> = .failure(CancellationError())
        for _ in 0..<12 {
            do {
                outcome = .success(try await turn(spool, number))
                break
            } catch {
                outcome = .failure(error)
                // The first request after this opens it again.
                try await Task.sleep(for: .milliseconds(210))
            }
        }
        await spool.close(until: soon)
        return try outcome.get()
    }

    private static func turn(_ spool: Spool, _ number: Int) async throws -> FrameID {
        // What the background does may fail for a while without harm.
        try? await spool.keep()
        for filter in ["", "tag:alarm", "camera:d*, not pinned", "tag:t*, bytes>0", "any(lost, settled:no)"] {
            let query = FrameQuery(filter: try FrameFilter(parsing: filter), order: .oldest, limit: 4)
            _ = try await spool.frames(query, until: soon)
        }
        _ = try await spool.statistics(until: soon)
        let id = try await spool.store(still(number), durability: .none, until: soon).id
        _ = try await spool.retention(dryRun: true, until: soon)
        let found = try await spool.frames(FrameQuery(filter: .is(.id(id)), limit: 2), until: soon)
        // Where a page of the catalog is a copy of another one, SQLite may find out only with the next changes.
        guard found.frames.map(\.still.id) == [id] else { throw NotFound(id: id) }
        return id
    }

    /// A still that was just stored is not in the catalog.
    private struct NotFound: Error { let id: FrameID }

    private static func expectUsable(_ origin: SpoolFolder, seed: UInt64) async throws {
        let folder = try origin.copy()
        let outside = URL(fileURLWithPath: "\(folder.path)/../outside.jpg")
        try Data([7]).write(to: outside)
        let steps = try CatalogMutation.apply(seed: seed, to: folder)
        let comment = Comment(rawValue: "seed \(seed): \(steps.joined(separator: "; ").prefix(2000))")
        do {
            let first = try await use(folder, 100)
            let second = try await use(folder, 200)
            let spool = try await Spool.open(folder.configuration, logger: quiet, until: soon)
            for id in [first, second] { #expect(try await spool.picture(of: id, until: soon) == picture, comment) }
            await spool.close(until: soon)
        } catch {
            Issue.record(error, comment)
        }
        #expect(try Data(contentsOf: outside) == Data([7]), comment)
    }

    @Test func `spoiled catalogs neither end the daemon nor stay unusable`() async throws {
        let asked = ProcessInfo.processInfo.environment["TINTYPE_CATALOG_FUZZ"]?.split(separator: ":")
        let seed = asked?.first.flatMap { UInt64($0) } ?? UInt64(UInt32.random(in: .min ... .max))
        let count = asked?.dropFirst().first.flatMap { UInt64($0) } ?? 40
        print("catalog fuzz: TINTYPE_CATALOG_FUZZ=\(seed):\(count)")
        let origin = try await Self.spool()
        for number in 0..<count {
            if asked != nil { FileHandle.standardError.write(Data("case \(seed + number)\n".utf8)) }
            try await Self.expectUsable(origin, seed: seed + number)
        }
    }
}
