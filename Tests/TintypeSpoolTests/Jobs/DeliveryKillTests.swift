// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// The daemon killed while pictures are stored and delivered.
@Suite struct DeliveryKillTests {
    private let folder = SpoolFolder()

    /// Expects each picture to wait or to be done, and none to be done that was not delivered.
    private func expectNoneLost(_ folder: SpoolFolder, delivered: [FrameID], _ comment: Comment) throws {
        let states = "SELECT count(*) FROM frame LEFT JOIN delivery ON frame = id WHERE"
        #expect(try folder.sql("\(states) state IS NULL OR state NOT IN ('pending', 'done')") == ["0"], comment)
        let done = try folder.deliveries(where: "state = 'done'")
        #expect(Set(done).isSubset(of: delivered), comment)
        // Counted if and only if they are done, but for those that were deleted.
        let deleted = try folder.sql("SELECT count(*) FROM tombstone")
        #expect(try folder.sql("SELECT done - lost FROM job") == ["\(done.count + (Int(deleted[0]) ?? 0))"], comment)
        #expect(try folder.paths() == folder.pictures(), comment)
    }

    @Test(arguments: [false, true])
    func `each delivery is open or done after SIGKILL at any call`(_ deletes: Bool) async throws {
        let files = KillFiles(of: folder)
        let rules = [try upload()]
        let configuration = folder.configuration(uploads: rules)
        await (try await folder.open(configuration)).close(until: soon)
        // Before the capture of the pictures.
        try folder.sql("UPDATE job SET createdAt = 0")
        let spool = try await folder.open(configuration, files: files)
        let job = try await spool.job()
        files.start()
        var delivered: [FrameID] = []
        for number in 0..<3 {
            try await spool.fill([number], durability: .full)
            let batch = try await spool.batch(job)
            delivered += batch
            try await spool.record(job, done: batch, deletes: deletes)
        }
        await spool.close(until: soon)
        try expectNoneLost(folder, delivered: delivered, "not killed")
        #expect(try folder.ids().count == (deletes ? 0 : 3))
        for (call, left) in files.kills {
            let again = try await left.open(left.configuration(uploads: rules))
            await again.close(until: soon)
            try expectNoneLost(left, delivered: delivered, "killed before: \(call)")
            let isDeleting = try left.sql("SELECT count(*) FROM frame JOIN tombstone USING (id)") != ["0"]
            #expect(!isDeleting, "killed before: \(call)")
        }
        #expect(files.kills.count > 9)
    }
}
