// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeCapture
internal import TintypeFrames
internal import TintypeModel
internal import TintypeThreads

/// What the service manager is told of the cameras.
extension Cameras {
    /// The parts that must move for them.
    var heartbeats: [Heartbeat] { [encoding.heartbeat] + all.map(\.session.heartbeat) }

    /// Whether a camera is open or has a schedule, or is to be watched or kept open.
    var areNeeded: Bool {
        all.contains { camera in
            camera.configuration.isKeptOpen || !camera.publications.isEmpty || camera.latest != nil
                || ![.off, .failed].contains(camera.session.status.state.name)
        }
    }

    /// Returns once each camera that the configuration keeps open gives pictures or is in trouble, at `deadline` at the
    /// latest; `signals` has an element at least whenever one is in another state.
    func settle(until deadline: MonotonicTime, _ signals: AsyncStream<Void>) async {
        for await _ in signals.cancelOnGracefulShutdown() {
            let isAwaited = all.contains { camera in
                camera.configuration.isKeptOpen
                    && [.off, .opening, .settling].contains(camera.session.status.state.name)
            }
            guard isAwaited, .now() < deadline else { return }
        }
    }
}
