// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

/// Failing or interrupting each call of a store in turn.
@Suite struct FaultTests {
    @Test func `a failed call of a store leaves nothing behind`() async throws {
        var failed: Set<Int> = []
        let count = try await FaultyFiles.failEachCall { files, code, index in
            let (folder, spool) = try await SpoolFolder.opened(files: files)
            files.arm(.error(code), at: index)
            var record: StillRecord?
            do throws(Problem) {
                record = try await spool.store(still(), durability: .full, until: soon)
                files.mend()
            } catch {
                failed.insert(index)
                #expect(error.code == (code == ENOSPC ? .spoolFull : .spoolUnavailable))
                #expect(error.detail.contains(folder.path), "\(error)")
                #expect(!error.remedy.isEmpty)
                #expect(try folder.pictures().isEmpty, "call \(index): \(files.calls)")
                files.mend()
            }
            if let record { #expect(try await spool.picture(of: record.id, until: soon) == picture) }
            try folder.expectAgreement("call \(index): \(files.failed ?? "none")")
            let next = try await spool.store(still(1), durability: .full, until: soon)
            #expect(try await spool.picture(of: next.id, until: soon) == picture)
            try folder.expectAgreement("after call \(index)")
        }
        // All calls but the swap of latest.jpg, after which the picture is stored.
        #expect(count > 12 && failed.count == count - 1)
    }

    @Test(arguments: Durability.allCases)
    func `SIGKILL at any call of a store loses no acknowledged picture`(_ durability: Durability) async throws {
        let folder = SpoolFolder()
        let files = KillFiles(of: folder)
        let spool = try await folder.open(files: files)
        let answered = try await spool.store(still(), durability: durability, until: soon)
        files.start()
        let last = try await spool.store(still(1), durability: durability, until: soon)
        var kills = files.kills
        #expect(kills.count > 4)
        kills.append((call: "nothing", left: try folder.copy()))
        for (call, left) in kills {
            let again = try await left.open()
            #expect(try await again.picture(of: answered.id, until: soon) == picture)
            if call == "nothing" { #expect(try await again.picture(of: last.id, until: soon) == picture) }
            try left.expectAgreement("killed before: \(call)")
            #expect(try left.bytes("door/latest.jpg") == picture)
            await again.close(until: soon)
        }
        await spool.close(until: soon)
    }

    /// Several stills at once: the stills hit by a fault vary between runs, the invariants do not.
    @Test(arguments: [FaultyFiles.Fault.error(EIO), .killed])
    func `a fault during concurrent stores loses only the stills it refuses`(_ fault: FaultyFiles.Fault) async throws {
        let count = 6
        var (hit, missed, index) = (0, 0, 0)
        // The number of calls varies slightly with the grouping.
        while missed < 3 {
            let files = FaultyFiles()
            let (folder, spool) = try await SpoolFolder.opened(files: files)
            files.arm(fault, at: index)
            let stored = try await spool.storeAtOnce(
                0..<count,
                durability: { Durability.allCases[$0 % 3] },
                taken: { still($0, camera: $0 % 2 == 0 ? "door" : "yard") }
            ).records.values
            if stored.count < count { hit += 1 }
            missed = files.calls.count > index ? 0 : missed + 1
            for name in try folder.pictures() { #expect(try folder.bytes(name) == picture) }
            if fault == .killed {
                await spool.close(until: soon)
                let left = try folder.copy()
                let again = try await left.open()
                for record in stored { #expect(try await again.picture(of: record.id, until: soon) == picture) }
                try left.expectAgreement("killed at \(index): \(files.calls)")
            } else {
                files.mend()
                for record in stored { #expect(try await spool.picture(of: record.id, until: soon) == picture) }
                #expect(try folder.pictures().count == stored.count, "call \(index): \(files.calls)")
                _ = try await spool.store(still(50), durability: .full, until: soon)
                try folder.expectAgreement("after call \(index)")
            }
            index += fault == .killed ? 5 : 1
        }
        #expect(hit > (fault == .killed ? 4 : 15))
    }
}
