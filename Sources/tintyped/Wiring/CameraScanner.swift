// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Looks for cameras on a thread of its own, and answers with what it saw last where that thread hangs in a driver.
final class CameraScanner: Sendable {
    struct Sightings: Sendable {
        var findings: [CameraDiscovery.Finding] = []
        /// The nodes behind the paths that were asked for: links followed.
        var nodes: [String: String] = [:]
        /// Whether the paths that were asked for could be opened.
        var access: [String: CameraAuthorization] = [:]
        /// Whether a look has ended.
        var isKnown = true

        /// The device of a camera; nil if there is none, or several.
        func finding(for source: Camera.Source) -> CameraDiscovery.Finding? {
            switch source {
            case .node(let path):
                let node = nodes[path] ?? path
                return findings.first { $0.identity.path == node }
            case .match(let match):
                let node = try? match.resolve(among: findings.map(\.identity))
                return findings.first { $0.identity == node }
            case .pattern: return nil
            }
        }

        /// Why it cannot be told which of several is meant; nil where it can.
        func ambiguity(of source: Camera.Source) -> Problem? {
            guard case .match(let match) = source else { return nil }
            do throws(Problem) {
                _ = try match.resolve(among: findings.map(\.identity))
                return nil
            } catch {
                return error.code == .cameraAmbiguous ? error : nil
            }
        }

        /// Whether what is no capture node of sysfs could be opened; nil where no look has told that yet.
        func access(to source: Camera.Source) -> CameraAuthorization? {
            guard case .node(let path) = source else { return isKnown ? .absent : nil }
            return access[path]
        }

        /// The facts about a node that is named and there, and that tells no more; nil for other cameras.
        func unaskedIdentity(of source: Camera.Source) -> CameraIdentity? {
            guard case .node(let path) = source else { return nil }
            return CameraIdentity(path: nodes[path] ?? path, card: "", driver: "", busInfo: "")
        }

        /// What none of these cameras means, by node.
        func unconfigured(besides sources: [Camera.Source]) -> [UnconfiguredCamera] {
            let meant = Set(sources.compactMap { finding(for: $0)?.identity.path })
            return findings.filter { !meant.contains($0.identity.path) }
                .map { finding in
                    UnconfiguredCamera(
                        identity: finding.identity,
                        authorization: finding.authorization,
                        match: bestMatch(for: finding)
                    )
                }
                .sorted { $0.identity.path < $1.identity.path }
        }

        func bestMatch(for finding: CameraDiscovery.Finding) -> CameraMatch? {
            CameraMatch.best(for: finding.identity, among: findings.map(\.identity))
        }
    }

    static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// A node that is asked for the first time may take its time; status does not.
    private static let timeLimit = Duration.milliseconds(500)

    /// Finds the nodes; asked on threads that may block only.
    let discovery: CameraDiscovery
    let thread = WorkerThreads(name: "tt-discovery", count: 1) {}
    private let last = Mutex(Sightings(isKnown: false))
    private let isRefreshing = Atomic(false)
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) { (self.clock, discovery) = (clock, CameraDiscovery(clock: clock)) }

    /// The current result; the last one if the look takes longer than half a second.
    func sightings(_ sources: [Camera.Source]) async -> Sightings {
        let paths = sources.compactMap { source in if case .node(let path) = source { path } else { nil } }
        do throws(Problem) {
            let late = Problem(.deadlineExceeded, "A device does not answer.", remedy: "Unplug it.")
            let deadline = clock.now + Self.timeLimit
            return try await thread.perform(until: deadline, by: clock, otherwise: late) { [self] _ in look(paths) }
        } catch {
            return last.withLock { $0 }
        }
    }

    /// Looks for what has changed, soon and on its own thread; what comes before it has begun is one look.
    func refresh() {
        guard !isRefreshing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        thread.submit { [self] _ in
            isRefreshing.store(false, ordering: .releasing)
            _ = look([])
        }
    }

    /// Looks, and keeps what was seen beside what others have asked for, also where it comes too late.
    private func look(_ paths: [String]) -> Sightings {
        var sightings = Sightings(findings: discovery.scan())
        for path in paths {
            sightings.access[path] = .absent
            guard let target = unsafe realpath(path, nil) else { continue }
            let node = unsafe String(cString: target)
            unsafe free(target)
            sightings.nodes[path] = node
            if unsafe access(node, R_OK | W_OK) == 0 {
                sightings.access[path] = .authorized
            } else if errno == EACCES {
                sightings.access[path] = CameraAuthorization(.denied(path: path))
            }
        }
        last.withLock { [sightings] last in
            (last.findings, last.isKnown) = (sightings.findings, true)
            for path in paths {
                last.nodes[path] = sightings.nodes[path]
                last.access[path] = sightings.access[path]
            }
        }
        return sightings
    }
}
