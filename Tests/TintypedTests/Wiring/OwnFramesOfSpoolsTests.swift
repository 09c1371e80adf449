// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeControl
@testable import tintyped

/// Stored frames of a client that has a role for one camera.
struct OwnFramesOfSpoolsTests {
    private static func caller(of camera: String) -> Caller {
        Caller(name: "uid 1", via: .user, rules: [AccessRule(.user("1"), .role(.admin, cameras: [camera]))])
    }

    @Test func `a spool that hangs holds up no picture of the others, and no change of many`() async throws {
        let hung = FakeStore("usb", [], isDead: true, pagesWait: true)
        let disk = FakeStore("default", Array(1...50))
        let own = OwnFrames(frames: Frames(spools: [hung, disk]), caller: Self.caller(of: "front"))
        let ids = disk.frames.map(\.id)
        #expect(try await own.picture(of: ids[0]) == Array("default".utf8))
        #expect(try await own.delete(.ids(ids)) == FrameOutcome(changed: 50))
    }

    @Test func `a frame of another camera is as one that there is not`() async throws {
        let disk = FakeStore("default", [1])
        let own = OwnFrames(frames: Frames(spools: [disk]), caller: Self.caller(of: "yard"))
        for id in [disk.frames[0].id, FrameID(at: Timestamp(microseconds: 5))] {
            let refusal = await #expect(throws: Problem.self) { try await own.frame(id) }
            #expect(refusal == Problem.noFrame(id))
            #expect(try await own.delete(.ids([id])) == FrameOutcome(missing: [id]))
        }
    }
}
