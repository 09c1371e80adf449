// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct ChangeTests {
    private let folder = SpoolFolder()

    private func stored(_ count: Int, in spool: SpoolStore) async throws -> [FrameID] {
        let stills = (0..<count).map { number in
            still(number, camera: number % 2 == 0 ? "door" : "yard", tags: number == 0 ? ["first"] : nil)
        }
        return try await spool.fill(stills).map(\.id)
    }

    @Test func `pins and tags of frames survive a restart`() async throws {
        let spool = try await folder.open()
        let ids = try await stored(4, in: spool)
        let nobody = FrameID(at: noon)
        let change = FrameChange(.ids([ids[0], nobody, ids[2], ids[0]]), FrameEdit(pinned: true, addTags: ["a", "b"]))
        #expect(try await spool.change(change, until: soon) == FrameOutcome(changed: 2, missing: [nobody]))
        #expect(try await spool.ids("pinned") == [ids[0], ids[2]])
        #expect(try await spool.ids("tag:a") == [ids[0], ids[2]])
        #expect(try await spool.ids("tag:first") == [ids[0]])
        let first = try await spool.frame(ids[0], until: soon)
        #expect(first.pinned && first.still.tags == ["first", "a", "b"])
        let back = FrameChange(.ids([ids[0]]), FrameEdit(pinned: false, removeTags: ["a", "first"]))
        _ = try await spool.change(back, until: soon)
        await spool.close(until: soon)
        let again = try await folder.open()
        #expect(try await again.ids("pinned") == [ids[2]])
        #expect(try await again.ids("tag:a") == [ids[2]])
        #expect(try await again.ids("tag:first").isEmpty)
        #expect(try await again.frame(ids[0], until: soon).still.tags == ["b"])
        let none = FrameChange(.ids([ids[0]]), FrameEdit(removeTags: ["b"]))
        _ = try await again.change(none, until: soon)
        #expect(try await again.frame(ids[0], until: soon).still.tags == nil)
        // Attributes absent from the change stay.
        #expect(try await again.frame(ids[2], until: soon).pinned)
    }

    @Test func `changes all frames that match a filter`() async throws {
        let spool = try await folder.open()
        let ids = try await stored(5, in: spool)
        // Changed frames no longer match the filter.
        let filter = try FrameFilter(parsing: "camera:door, not pinned")
        let change = FrameChange(.filter(filter), FrameEdit(pinned: true))
        #expect(try await spool.change(change, until: soon) == FrameOutcome(changed: 3))
        #expect(try await spool.ids("pinned") == [ids[0], ids[2], ids[4]])
        #expect(await problem { try await spool.change(change, until: past) }?.code == .deadlineExceeded)
    }

    @Test func `a change refuses only the frame with too many tags`() async throws {
        let spool = try await folder.open()
        let ids = try await stored(2, in: spool)
        let most = (0..<StillRequest.mostTags).map { "t\($0)" }
        let change = FrameChange(.ids(ids), FrameEdit(pinned: true, addTags: most))
        #expect(try await spool.change(change, until: soon) == FrameOutcome(changed: 1, refused: [ids[0]]))
        let first = try await spool.frame(ids[0], until: soon)
        #expect(!first.pinned && first.still.tags == ["first"])
        #expect(try await spool.frame(ids[1], until: soon).still.tags == most)
    }

    @Test func `a failed change modifies no frame`() async throws {
        let spool = try await folder.open()
        let ids = try await stored(3, in: spool)
        try folder.refuse("UPDATE ON frame", when: "NEW.id = \(ids[2].sql)")
        let change = FrameChange(.ids(ids), FrameEdit(pinned: true, addTags: ["a"]))
        let problem = await #expect(throws: Problem.self) { try await spool.change(change, until: soon) }
        #expect(problem?.code == .spoolUnavailable && problem?.detail.contains("refused") == true)
        #expect(try await spool.ids("any(pinned, tag:a)").isEmpty)
        try folder.sql("DROP TRIGGER refuse")
        #expect(try await spool.change(change, until: soon).changed == 3)
    }
}
