// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// What a kill has left.
private final class Kept: Sendable {
    let folder = Mutex<SpoolFolder?>(nil)
}

/// A store whose calls are failed or cut off one after the other.
@Suite struct FaultTests {
    /// The calls of a store into an empty spool, so that a test knows how many there are to fail.
    private func callCount(_ durability: Durability) async throws -> Int {
        let files = FaultyFiles()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        files.disarm()
        _ = try await spool.store(still(), durability: durability, until: soon)
        return withExtendedLifetime(folder) { files.calls.count }
    }

    /// Folder and catalog agree, every file is whole, and nothing is left in `.incoming`.
    private func expectAgreement(_ folder: SpoolFolder, _ comment: Comment) throws {
        let rows = try catalogOutput(
            "\(folder.path)/catalog.sqlite",
            "SELECT path FROM frame WHERE NOT isLost ORDER BY path"
        )
        let pictures = try folder.pictures()
        #expect(pictures == rows.split(separator: "\n").map(String.init), comment)
        for name in pictures { #expect(try folder.bytes(name) == picture, comment) }
        #expect(try folder.names(in: ".incoming").isEmpty, comment)
    }

    @Test(arguments: [ENOSPC, EIO, EROFS, EDQUOT])
    func `a call that fails leaves nothing behind, and the next store works`(_ code: Int32) async throws {
        let count = try await callCount(.full)
        #expect(count > 12)
        var failed = 0
        for index in 0..<count {
            let files = FaultyFiles()
            let folder = try SpoolFolder()
            let spool = try await folder.open(files)
            files.arm(.error(code), at: index)
            do {
                let record = try await spool.store(still(), durability: .full, until: soon)
                #expect(try await spool.picture(of: record.id, until: soon) == picture)
            } catch {
                failed += 1
                #expect(error.code == ([ENOSPC, EDQUOT].contains(code) ? .spoolFull : .spoolUnavailable))
                #expect(error.detail.contains(folder.path), "\(error)")
                #expect(!error.remedy.isEmpty)
                #expect(try folder.pictures().isEmpty, "call \(index): \(files.calls)")
            }
            try expectAgreement(folder, "call \(index): \(files.calls)")
            files.disarm()
            let next = try await spool.store(still(1), durability: .full, until: soon)
            #expect(try await spool.picture(of: next.id, until: soon) == picture)
            try expectAgreement(folder, "after call \(index)")
        }
        // All but the swap of latest.jpg, after which the picture is there.
        #expect(failed == count - 1)
    }

    @Test(arguments: Durability.allCases)
    func `a daemon killed at any call leaves nothing partial and loses nothing answered`(
        _ durability: Durability
    ) async throws {
        for index in 0..<(try await callCount(durability)) {
            let files = FaultyFiles()
            let folder = try SpoolFolder()
            let spool = try await folder.open(files)
            let answered = try await spool.store(still(), durability: durability, until: soon)
            let kept = Kept()
            files.arm(.killed, at: index) { kept.folder.withLock { $0 = try? folder.copy() } }
            let cut = try? await spool.store(still(1), durability: durability, until: soon)
            for name in try folder.pictures() { #expect(try folder.bytes(name) == picture) }
            let left = try kept.folder.withLock(\.self) ?? folder.copy()
            let again = try await left.open()
            for record in [answered, cut].compactMap({ $0 }) {
                #expect(try await again.picture(of: record.id, until: soon) == picture)
            }
            try expectAgreement(left, "killed at \(index): \(files.calls)")
            #expect(try left.bytes("door/latest.jpg") == picture)
        }
    }

    /// Several stills at once: which of them a fault hits differs from run to run, and what holds does not.
    @Test(arguments: [FaultyFiles.Fault.error(ENOSPC), .error(EIO), .killed])
    func `of several stills at once, a fault at any call costs those that are told so`(
        _ fault: FaultyFiles.Fault
    ) async throws {
        let cameras = ["door", "yard"]
        let count = 6
        var (hit, missed, index) = (0, 0, 0)
        // The number of calls differs a little, by how many share one.
        while missed < 3 {
            let files = FaultyFiles()
            let folder = try SpoolFolder()
            let spool = try await folder.open(files)
            files.arm(fault, at: index)
            let stored = await withTaskGroup(of: StillRecord?.self) { group in
                for number in 0..<count {
                    let durability = Durability.allCases[number % 3]
                    group.addTask {
                        let taken = still(number, camera: cameras[number % 2])
                        return try? await spool.store(taken, durability: durability, until: soon)
                    }
                }
                return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
            }
            if stored.count < count { hit += 1 }
            missed = files.calls.count > index ? 0 : missed + 1
            for name in try folder.pictures() { #expect(try folder.bytes(name) == picture) }
            if fault == .killed {
                await spool.close(until: soon)
                let left = try folder.copy()
                let again = try await left.open()
                for record in stored { #expect(try await again.picture(of: record.id, until: soon) == picture) }
                try expectAgreement(left, "killed at \(index): \(files.calls)")
            } else {
                files.disarm()
                for record in stored { #expect(try await spool.picture(of: record.id, until: soon) == picture) }
                #expect(try folder.pictures().count == stored.count, "call \(index): \(files.calls)")
                _ = try await spool.store(still(50), durability: .full, until: soon)
                try expectAgreement(folder, "after call \(index)")
            }
            index += fault == .killed ? 5 : 1
        }
        #expect(hit > (fault == .killed ? 4 : 15))
    }

    @Test func `a start killed at any call can be done again`() async throws {
        let origin = try SpoolFolder()
        try await fillForReconcile(origin)
        var index = 0
        while true {
            let folder = try origin.copy()
            let files = FaultyFiles()
            files.arm(.killed, at: index)
            let opened = try? await folder.open(files)
            let isWhole = files.calls.count <= index
            await opened?.close(until: soon)
            let again = try await folder.copy().open()
            await again.close(until: soon)
            let final = try folder.copy()
            let third = try await final.open()
            try expectAgreement(final, "killed at \(index)")
            #expect(try final.pictures().count == 2)
            #expect(try final.names(in: ".quarantine").count == 1)
            await third.close(until: soon)
            if isWhole { break }
            index += 1
        }
        #expect(index > 20)
    }

    @Test func `a row that cannot be inserted takes its file along`() async throws {
        let folder = try SpoolFolder()
        let spool = try await folder.open()
        let catalog = "\(folder.path)/catalog.sqlite"
        let trigger = "CREATE TRIGGER refuse BEFORE INSERT ON frame BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try catalogOutput(catalog, trigger)
        let problem = await #expect(throws: Problem.self) {
            try await spool.store(still(), durability: .full, until: soon)
        }
        #expect(problem?.code == .spoolUnavailable)
        #expect(problem?.detail.contains("refused") == true)
        try expectAgreement(folder, "refused")
        try catalogOutput(catalog, "DROP TRIGGER refuse")
        _ = try await spool.store(still(), durability: .full, until: soon)
        try expectAgreement(folder, "not refused")
    }
}
