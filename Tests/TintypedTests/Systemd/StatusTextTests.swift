// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct StatusTextTests {
    private func camera(
        _ name: String,
        _ state: SessionState = .off,
        _ authorization: CameraAuthorization = .authorized
    ) -> CameraStatus {
        CameraStatus(name: name, identity: nil, authorization: authorization, state: state)
    }

    @Test func `lists cameras in trouble first, with the reason`() {
        let lost = Problem(.cameraNotFound, "The camera back was unplugged.", remedy: "Plug it in.")
        let interrupted = SessionState.interrupted(reason: lost, since: .now(), nextAttempt: .now())
        let cameras = [
            camera("front", .running), camera("yard", .off, .absent), camera("back", interrupted, .absent),
            camera("door", .off, .denied(remedy: "Join the group.")),
        ]
        let states = "yard: absent; back: absent (The camera back was unplugged.); door: denied; front: running"
        #expect(StatusText.line(serving: "/s", cameras) == "Serving on /s. \(states)")
        #expect(StatusText.line(serving: "/s", []) == "Serving on /s")
    }

    @Test func `limits the length and counts the omitted cameras`() {
        let cameras = (1...400).map { camera("camera-\($0)", .running) }
        let line = StatusText.line(serving: "/s", cameras)
        #expect(line.utf8.count < 3100)
        let shown = line.split(separator: ";").count - 1
        #expect(line.hasSuffix("; and \(400 - shown) more"))
    }
}
