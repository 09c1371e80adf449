// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

@Suite struct DeletionTests {
    private let folder = SpoolFolder()
    private let files = FaultyFiles()

    /// Returns a spool with three pictures of one camera and two of another.
    private func filled(
        _ files: any FileSystem = SystemFiles(),
        in other: SpoolFolder? = nil
    ) async throws -> (SpoolStore, [StillRecord]) {
        let spool = try await (other ?? folder).open(files: files)
        let doors = try await spool.fill(0..<3, durability: .full)
        return (spool, doors + (try await spool.fill(3..<5, camera: "yard", durability: .full)))
    }

    @Test func `sends events for stored and removed frames`() async throws {
        let told = ToldEvents()
        let spool = try await SpoolStore.open(folder.configuration, tell: told.tell)
        var records: [StillRecord] = []
        for number in 0..<3 {
            let taken = still(number, camera: number < 2 ? "door" : "yard")
            records.append(try await spool.store(taken, durability: .full, until: soon))
            let event = try #require(told.all.last)
            #expect(event.kind == .frameStored && event.frame == records[number].id && event.spool == "default")
            #expect(event.path == records[number].path && event.camera == records[number].camera)
        }
        let nobody = FrameID(at: noon)
        _ = try await spool.delete(.ids(records.map(\.id) + [nobody]), until: soon)
        let removed = told.all.dropFirst(3)
        #expect(removed.map(\.kind) == [.framesRemoved, .framesRemoved])
        #expect(removed.map(\.camera) == ["door", "yard"])
        #expect(removed.compactMap(\.frames) == [records.prefix(2).map(\.id), [records[2].id]])
    }

    @Test func `deletes frames with their files by id`() async throws {
        let (spool, records) = try await filled()
        _ = try await spool.change(FrameChange(.ids([records[1].id]), FrameEdit(pinned: true)), until: soon)
        let nobody = FrameID(at: noon)
        let selection = FrameSelection.ids([records[1].id, nobody, records[3].id, records[1].id])
        #expect(try await spool.delete(selection, until: soon) == FrameOutcome(changed: 2, missing: [nobody]))
        for index in [1, 3] {
            #expect(await problem { try await spool.frame(records[index].id, until: soon) }?.code == .frameNotFound)
        }
        #expect(try folder.pictures().count == 3)
        #expect(try folder.paths() == folder.pictures())
        #expect(try await spool.delete(selection, until: soon).missing.count == 3)
        await spool.close(until: soon)
        _ = try await folder.open()
        #expect(try folder.paths().count == 3)
    }

    @Test func `deletes all frames that match a filter in several batches`() async throws {
        let spool = try await folder.open()
        for number in 0..<230 { try await spool.fill([number], camera: number % 10 == 0 ? "yard" : "door") }
        #expect(FrameDeletion.batch < 207)
        let filter = FrameFilter.is(.camera("door"))
        #expect(try await spool.delete(.filter(filter), until: soon) == FrameOutcome(changed: 207))
        #expect(try folder.paths().count == 23)
        #expect(try folder.pictures().allSatisfy { $0.hasPrefix("yard/") })
        #expect(await problem { try await spool.delete(.filter(filter), until: past) }?.code == .deadlineExceeded)
    }

    @Test func `retargets latest.jpg before removing its picture`() async throws {
        let (spool, records) = try await filled(files)
        let (place, link) = ("\(folder.path)/door/2026/", "\(folder.path)/door/latest.jpg")
        let looks = Mutex<[Bool]>([])
        files.before { call in
            if call.verb == "remove", call.path.hasPrefix(place) {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
                looks.withLock { $0.append(target.map { !call.path.hasSuffix($0) } ?? false) }
            }
            return nil
        }
        _ = try await spool.delete(.ids([records[2].id, records[1].id]), until: soon)
        #expect(looks.withLock(\.self) == [true, true])
    }

    @Test func `retargets latest.jpg after the removal on a full disk`() async throws {
        let (spool, records) = try await filled(files)
        // Calls in order: stat the link, read it, stat the other picture, remove an earlier temporary link, make one.
        files.arm(.error(ENOSPC), at: 4)
        #expect(try await spool.delete(.ids([records[2].id]), until: soon).changed == 1)
        #expect(files.calls[4] == "make the link")
        #expect(try "door/\(folder.target())" == folder.relative(records[1]))
    }

    @Test func `latest.jpg follows the newest remaining picture`() async throws {
        let (spool, records) = try await filled()
        let before = try folder.target()
        _ = try await spool.delete(.ids([records[0].id]), until: soon)
        #expect(try folder.target() == before)
        _ = try await spool.delete(.ids([records[2].id]), until: soon)
        #expect(try "door/" + folder.target() == folder.relative(records[1]))
        #expect(try folder.bytes("door/latest.jpg") == picture)
        _ = try await spool.delete(.filter(.is(.camera("door"))), until: soon)
        #expect(throws: (any Error).self) { try folder.target() }
        #expect(try folder.bytes("yard/latest.jpg") == picture)
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    @Test func `deletes in the order tombstone, file, folder flush, row`() async throws {
        let (spool, records) = try await filled(files)
        // The tombstone exists before the first file call, the row until the folder is flushed.
        files.mend()
        _ = try await spool.delete(.ids([records[0].id, records[3].id]), until: soon)
        let calls = files.calls.filter { ["remove", "flush the folder"].contains($0) }
        #expect(Array(calls.prefix(4)) == ["remove", "remove", "flush the folder", "flush the folder"])
        let tombstones = try folder.sql("SELECT path FROM tombstone ORDER BY path")
        #expect(try tombstones == [records[0], records[3]].map { try folder.relative($0) })
        try folder.refuse("INSERT ON tombstone")
        files.mend()
        let problem = await #expect(throws: Problem.self) { try await spool.delete(.ids([records[1].id]), until: soon) }
        #expect(problem?.detail.contains("refused") == true)
        #expect(!files.calls.contains("remove"))
        try folder.sql("DROP TRIGGER refuse")
        // A row that cannot be removed stays under its tombstone until the next start.
        try folder.refuse("DELETE ON frame")
        let kept = await #expect(throws: Problem.self) { try await spool.delete(.ids([records[1].id]), until: soon) }
        #expect(kept?.detail.contains("refused") == true)
        #expect(try !folder.pictures().contains(folder.relative(records[1])))
        try folder.sql("DROP TRIGGER refuse")
        await spool.close(until: soon)
        #expect(try await folder.open().ids() == [records[2].id, records[4].id])
    }

    @Test func `SIGKILL at any call of a deletion leaves each frame whole or gone`() async throws {
        let files = KillFiles(of: folder)
        let (spool, records) = try await filled(files)
        files.start()
        _ = try await spool.delete(.ids([records[2].id, records[3].id]), until: soon)
        #expect(files.calls > 8 && files.kills.count > 4)
        for (call, left) in files.kills {
            let again = try await left.open()
            let listed = try await again.frames(FrameQuery(order: .oldest), until: soon).frames
            #expect(try left.pictures() == left.paths(), "killed before: \(call)")
            // Tombstones are on the disk before any file is removed.
            #expect(listed.map(\.id) == [0, 1, 4].map { records[$0].id }, "killed before: \(call)")
            #expect(listed.allSatisfy { !$0.lost })
            for frame in listed { #expect(try await again.picture(of: frame.id, until: soon) == picture) }
            for camera in ["door", "yard"] { #expect(try left.bytes("\(camera)/latest.jpg") == picture) }
            await again.close(until: soon)
            // Nothing returns at another start.
            try await left.restart()
            #expect(try left.paths().count == 3)
        }
        await spool.close(until: soon)
    }

    @Test func `a deletion that fails at the start does not prevent opening`() async throws {
        let (spool, records) = try await filled()
        await spool.close(until: soon)
        let catalog = try Catalog(path: "\(folder.path)/catalog.sqlite", clock: .system, logger: .quiet)
        try catalog.tombstones.add(over: try [0, 1].compactMap { try catalog.row(records[$0].id) }, at: .now())
        try catalog.close()
        let probe = FaultyFiles()
        try await folder.copy().restart(probe)
        let removals = probe.calls.indices.filter { probe.calls[$0] == "remove" }
        // The first removals of a start are those of its probe file and of the clean-shutdown mark.
        files.arm(.error(EPERM), at: removals[2])
        let again = try await folder.open(files: files)
        #expect(try await again.ids() == [0, 2, 3, 4].map { records[$0].id })
        #expect(try folder.pictures() == folder.paths())
    }

    @Test func `a failed call of a deletion leaves each frame whole or gone`() async throws {
        let count = try await FaultyFiles.failEachCall { files, code, index in
            let folder = SpoolFolder()
            let (spool, records) = try await filled(files, in: folder)
            files.arm(.error(code), at: index)
            do throws(Problem) {
                _ = try await spool.delete(.ids([records[2].id, records[3].id]), until: soon)
            } catch {
                #expect(error.code == (code == ENOSPC ? .spoolFull : .spoolUnavailable))
                #expect(error.detail.contains(folder.path) && !error.remedy.isEmpty)
            }
            files.mend()
            let rest = try await spool.frames(FrameQuery(), until: soon).frames
            for frame in rest where index < 2 { #expect(try await spool.picture(of: frame.id, until: soon) == picture) }
            _ = try await spool.delete(.ids(rest.map(\.id)), until: soon)
            #expect(try folder.pictures().isEmpty && folder.paths().isEmpty, "call \(index)")
            await spool.close(until: soon)
            #expect(try await folder.open().ids().isEmpty)
        }
        #expect(count > 8)
    }

    @Test func `keeps only the frame whose file cannot be removed`() async throws {
        let (spool, records) = try await filled(files)
        files.keep([try #require(records[1].path)])
        let outcome = try await spool.delete(.ids(records.map(\.id)), until: soon)
        #expect(outcome.changed == 4 && outcome.failed == [records[1].id])
        #expect(outcome.problem?.detail.contains(records[1].path ?? "-") == true)
        files.keep([])
        #expect(try await spool.ids() == [records[1].id])
        #expect(try await spool.picture(of: records[1].id, until: soon) == picture)
        #expect(try folder.bytes("door/latest.jpg") == picture)
        // No tombstone remains: the next start does not delete it.
        await spool.close(until: soon)
        #expect(try await folder.open().ids().count == 1)
    }

    /// Returns a spool with more than one batch of pictures; those of the first batch cannot be removed.
    private func obstructed() async throws -> (SpoolStore, kept: [FrameID], others: [FrameID]) {
        let spool = try await folder.open(files: files)
        let records = try await spool.fill(0..<FrameDeletion.batch + 30)
        let kept = records.prefix(FrameDeletion.batch)
        files.keep(Set(kept.compactMap(\.path)))
        return (spool, kept.map(\.id), records.dropFirst(FrameDeletion.batch).map(\.id))
    }

    @Test(arguments: [false, true])
    func `reports unremovable frames and deletes those after them`(_ isByFilter: Bool) async throws {
        let (spool, kept, others) = try await obstructed()
        let all: FrameSelection = isByFilter ? .filter(.everything) : .ids(kept + others)
        let outcome = try await spool.delete(all, until: soon)
        #expect(outcome.changed == others.count && outcome.failed == kept)
        #expect(outcome.problem?.code == .spoolUnavailable)
        #expect(try await spool.ids() == kept)
    }

    @Test func `reports the partial result when the catalog fails`() async throws {
        let spool = try await folder.open()
        let ids = try await spool.fill(0..<FrameDeletion.batch + 5).map(\.id)
        // An undeletable row in the second batch ends the deletion.
        let rest = Array(ids.dropFirst(FrameDeletion.batch))
        try folder.refuse("DELETE ON frame", when: "OLD.id = \(rest[0].sql)")
        let outcome = try await spool.delete(.ids(ids), until: soon)
        #expect(outcome.changed == FrameDeletion.batch && outcome.failed == rest)
        #expect(outcome.problem?.detail.contains("refused") == true)
    }

    @Test func `deletes a frame whose file is already gone`() async throws {
        let (spool, records) = try await filled()
        try folder.remove(folder.relative(records[0]))
        try folder.remove("yard/2026")
        let ids = [records[0], records[3], records[4]].map(\.id)
        #expect(try await spool.delete(.ids(ids), until: soon) == FrameOutcome(changed: 3))
        #expect(try folder.paths() == folder.pictures())
    }
}
