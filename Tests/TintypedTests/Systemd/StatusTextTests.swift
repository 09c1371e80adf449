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
}
