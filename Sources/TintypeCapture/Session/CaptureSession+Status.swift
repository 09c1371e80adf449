// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel

extension CaptureSession {
    /// All that is known of the camera, from what the session last published: never waits for its thread.
    package nonisolated var status: CameraStatus {
        let snapshot = hub.snapshot
        let warmth = hub.warmth
        let stuck = calls.stuck()
        let state = stuckProblem.map { SessionState.failed(reason: $0) } ?? snapshot.state
        return CameraStatus(
            name: name,
            identity: snapshot.identity,
            authorization: .authorized,
            state: state,
            format: snapshot.format,
            asked: snapshot.negotiation?.asked,
            unmet: snapshot.negotiation.flatMap { $0.unmet.isEmpty ? nil : $0.unmet },
            input: snapshot.negotiation?.input,
            crop: snapshot.negotiation?.granted.crop,
            counters: snapshot.counters,
            lastFrameAgeMs: snapshot.newest.map { Milliseconds(max(.zero, .now() - $0.exposureStart)) },
            leadMs: snapshot.newest?.lead.map(Milliseconds.init),
            stuckCall: stuck,
            warmth: warmth.warmth,
            isStarted: warmth.isStarted,
            holds: warmth.holds.map(CameraHold.init),
            waiting: hub.room.taken,
            latency: warmth.latency,
            controls: snapshot.controls,
            tolerance: quirks.tolerance,
            ring: ring?.status
        )
    }
}
