// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import TintypeModel

@testable import TintypeAPI

struct AuthorizedFramesTests {
    private static func caller(_ rights: [AccessRule.Right]) -> Caller {
        Caller(name: "uid 1", via: .user, rules: rights.map { AccessRule(.user("1"), $0) })
    }

    @Test func `access to frames is the union of camera and frame rules for the required role`() {
        let caller = Self.caller([
            .role(.view, cameras: ["front"]), .role(.admin, cameras: ["yard", "door"]), .frames(.is(.tag("public"))),
        ])
        #expect(
            caller.frames(.view)
                == .any([
                    .all([.is(.tag("public")), .is(.kind(.still))]), .is(.camera("front")), .is(.camera("yard")),
                    .is(.camera("door")),
                ])
        )
        #expect(caller.frames(.control) == .any([.is(.camera("yard")), .is(.camera("door"))]))
        #expect(Self.caller([.frames(.is(.tag("public")))]).frames(.admin) == .any([]))
        #expect(Self.caller([.role(.control, cameras: nil)]).frames(.control) == nil)
        #expect(Self.caller([.role(.control, cameras: nil)]).frames(.admin) == .any([]))
    }

    @Test func `a rule by filter grants films only if it asks for them, and asks for none in a list`() async throws {
        let filters = Mutex<[String]>([])
        let frames = FakeFrames(fits: { filter in
            filters.withLock { $0.append("\(filter)") }
            return true
        })
        let own = FrameFilter.all([.is(.camera("front")), .not(.is(.tag("private")))])
        for right in [own, .is(.kind(.film))] {
            let limited = AuthorizedFrames(frames: frames, caller: Self.caller([.frames(right)]))
            _ = try? await limited.frames(FrameQuery())
            _ = try? await limited.frames(FrameQuery(filter: .is(.kind(.film))))
        }
        #expect(
            filters.withLock(\.self) == [
                "all(all(), kind:still), any(all(all(camera:front, not tag:private), kind:still))",
                "kind:film, any(all(all(camera:front, not tag:private), kind:still))",
                "all(all(), kind:still), any(kind:film)", "kind:film, any(kind:film)",
            ]
        )
    }

    @Test func `frames outside the rules are reported as missing`() async throws {
        var frames = FakeFrames(fits: { !"\($0)".contains("camera:none") })
        let rights = Self.caller([.role(.admin, cameras: ["none"])])
        // An unresponsive spool may contain the frame.
        let (silent, stored) = (AuthorizedFrames(frames: frames, caller: rights), frames.stored.record.id)
        #expect(await #expect(throws: Problem.self) { try await silent.frame(stored) }?.code == .spoolUnavailable)
        frames.silent = nil
        let limited = AuthorizedFrames(frames: frames, caller: rights)
        let all = AuthorizedFrames(frames: frames, caller: Self.caller([.role(.admin, cameras: nil)]))
        let id = frames.stored.record.id
        #expect(try await all.frame(id).id == id)
        let refusal = await #expect(throws: Problem.self) { try await limited.frame(id) }
        #expect(refusal == Problem.noFrame(id))
        await #expect(throws: Problem.self) { try await limited.file(of: id) }
        await #expect(throws: Problem.self) { try await limited.thumbnail(of: id, width: 160) }
        let outcome = try await limited.apply(FrameChange(.ids([id]), FrameEdit(pinned: true)))
        #expect(outcome == FrameOutcome(missing: [id]))
        let times = [Timestamp(microseconds: 0), Samples.until]
        #expect(try await limited.spans(FrameSpanQuery(times: times)).spans.isEmpty)
        #expect(try await all.spans(FrameSpanQuery(times: times)).spans.count == 1)
        #expect(try await limited.delete(.ids([id])) == FrameOutcome(missing: [id]))
    }
}
