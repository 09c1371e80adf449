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
    func `a status round-trips through JSON in every state`(_ state: SessionState) throws {
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

    @Test(arguments: [CameraAuthorization.absent, .authorized, .denied(remedy: "Join."), .restricted(by: "the unit")])
    func `an authorization round-trips through JSON`(_ authorization: CameraAuthorization) throws {
        let json = try WireFormat.encode(authorization)
        #expect(try WireFormat.decode(CameraAuthorization.self, from: json) == authorization)
    }
}
