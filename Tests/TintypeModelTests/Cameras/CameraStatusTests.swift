// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct CameraStatusTests {
    private static let problem = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.", retryAfter: .seconds(1))
    private static let moment = Timestamp(microseconds: 1_795_271_412_345_678)

    @Test(arguments: [
        SessionState.off, .opening, .settling, .running, .failed(reason: problem), .degraded(reason: problem),
        .interrupted(reason: problem, since: moment, nextAttempt: moment),
    ])
    func `a status comes back from the wire in every state`(_ state: SessionState) throws {
        let status = CameraStatus(
            name: "door",
            identity: CameraIdentity(path: "/dev/video0", card: "Cam", driver: "uvcvideo", busInfo: "usb-1"),
            authorization: .denied(remedy: "Join the group."),
            state: state,
            counters: CameraCounters(),
            lastFrameAgeMs: Milliseconds(.milliseconds(12)),
            stuckCall: CameraStatus.StuckCall(name: "VIDIOC_DQBUF", runningMs: Milliseconds(.seconds(2))),
            warmth: .linger(.milliseconds(1500)),
            isStarted: true,
            holds: [CameraHold(owner: "ann", until: Self.moment)],
            latency: CameraLatency(
                fromOff: CameraLatency.Summary(
                    count: 2,
                    medianMs: Milliseconds(.milliseconds(40)),
                    worstMs: Milliseconds(.milliseconds(50))
                )
            )
        )
        let read = try WireFormat.decode(CameraStatus.self, from: WireFormat.encode(status))
        #expect(read == status)
        #expect(read.state.name == state.name)
        #expect(read.state.reason == state.reason)
    }

    @Test func `the names of the states are those of the design`() {
        #expect(
            SessionState.Name.allCases.map(\.rawValue)
                == ["off", "opening", "settling", "running", "interrupted", "failed", "degraded"]
        )
    }

    @Test(arguments: [CameraAuthorization.absent, .authorized, .denied(remedy: "Join."), .restricted(by: "the unit")])
    func `an authorization comes back from the wire`(_ authorization: CameraAuthorization) throws {
        #expect(
            try WireFormat.decode(CameraAuthorization.self, from: WireFormat.encode(authorization)) == authorization
        )
    }

    @Test(arguments: ["a", "door-1", "0.cam_2", String(repeating: "x", count: 64)])
    func `a camera's name is accepted`(_ name: String) { #expect(CameraName.isValid(name)) }

    @Test(arguments: ["", "Door", "-a", ".a", "a/b", "a b", "ä", String(repeating: "x", count: 65), "a\n"])
    func `what could be no folder or path of the API is not accepted`(_ name: String) {
        #expect(!CameraName.isValid(name))
    }
}
