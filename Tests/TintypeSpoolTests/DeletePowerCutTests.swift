// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct DeletePowerCutTests {
    @Test func `a power cut at any change of a deletion leaves the picture whole or gone, and never brings it back`()
        async throws
    {
        let files = LossyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files)
        let records = try await spool.fill(0..<3, durability: .full)
        let cuts = Mutex<[SpoolFolder]>([])
        files.beforeEachChange {
            guard let left = try? folder.copy() else { return }
            if (try? files.cutPower(left.path, of: folder.path)) != nil { cuts.withLock { $0.append(left) } }
        }
        _ = try await spool.delete(.ids([records[0].id]), until: soon)
        files.beforeEachChange(nil)
        let answered = try folder.copy()
        try files.cutPower(answered.path, of: folder.path)
        let unanswered = cuts.withLock(\.self)
        #expect(unanswered.count >= 2)
        for (count, left) in (unanswered + [answered]).enumerated() {
            let again = try await left.open()
            try left.expectAgreement("cut after \(count)")
            let pictures = try left.pictures()
            // Nobody asked for the others.
            for record in records.dropFirst() {
                #expect(try await again.picture(of: record.id, until: soon) == picture, "cut after \(count)")
            }
            #expect(pictures.count == 2 || pictures.count == 3 && count < unanswered.count, "cut after \(count)")
            // Once a start has seen it, it stays as it is.
            await again.close(until: soon)
            await (try await left.open()).close(until: soon)
            #expect(try left.pictures() == pictures)
            #expect(try left.bytes("door/latest.jpg") == picture)
        }
        await spool.close(until: soon)
    }
}
