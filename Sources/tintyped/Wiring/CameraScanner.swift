// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Scans for cameras on a separate thread; falls back to the last result if that thread hangs in a driver.
final class CameraScanner: Sendable {
    struct Sightings: Sendable {
        var findings: [CameraDiscovery.Finding] = []
        /// Resolved nodes by requested path.
        var nodes: [String: String] = [:]
        /// Access by requested path.
        var access: [String: CameraAuthorization] = [:]
        var isKnown = true

        /// Nil if none or several match.
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

        /// `device-lost` or `camera-ambiguous`; nil if exactly one camera matches, and for a node.
        func unresolved(_ source: Camera.Source) -> Problem? {
            guard case .match(let match) = source else { return nil }
            do throws(Problem) {
                _ = try match.resolve(among: findings.map(\.identity))
                return nil
            } catch {
                return error
            }
        }

        /// For a source without a capture node in sysfs; nil before the first scan.
        func access(to source: Camera.Source) -> CameraAuthorization? {
            guard case .node(let path) = source else { return isKnown ? .absent : nil }
            return access[path]
        }

        /// Only the path, for a camera configured by node.
        func unaskedIdentity(of source: Camera.Source) -> CameraIdentity? {
            guard case .node(let path) = source else { return nil }
            return CameraIdentity(path: nodes[path] ?? path, card: "", driver: "", busInfo: "")
        }

        /// Sorted by node.
        func unconfigured(besides sources: [Camera.Source]) -> [UnconfiguredCamera] {
            let meant = Set(sources.compactMap { finding(for: $0)?.identity.path })
            return findings.filter { !meant.contains($0.identity.path) }
                .map { one in
                    let (identity, match) = (one.identity, bestMatch(for: one))
                    return UnconfiguredCamera(identity: identity, authorization: one.authorization, match: match)
                }
                .sorted { $0.identity.path < $1.identity.path }
        }

        func bestMatch(for finding: CameraDiscovery.Finding) -> CameraMatch? {
            CameraMatch.best(for: finding.identity, among: findings.map(\.identity))
        }
    }

    static var coreCount: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// Time after which ``watchedSightings(_:)`` scans without a change, such as of a link that is not watched.
    static let longestUnscanned = Duration.seconds(60)

    private struct Scan {
        let began: MonotonicTime
        let changes: Int
    }

    /// Use only on threads that may block.
    let discovery: CameraDiscovery
    let thread = WorkerThreads(name: "tt-discovery", count: 1) {}
    private let last = Mutex<(sightings: Sightings, scan: Scan?)>((Sightings(isKnown: false), nil))
    private let isRefreshing = Atomic(false)
    /// Number of reported changes of devices; -1 while none would be reported.
    private let changes = Atomic(-1)
    private let clock: any MonotonicClock
    private let limit: Duration

    /// The default limit of a scan is that of a status; the first query of a node may take longer.
    init(discovery: CameraDiscovery? = nil, clock: any MonotonicClock, limit: Duration = .milliseconds(500)) {
        (self.clock, self.discovery, self.limit) = (clock, discovery ?? CameraDiscovery(clock: clock), limit)
    }

    /// Tells that ``refresh()`` is called on each change of devices from now on.
    func beginsWatch() { changes.store(0, ordering: .sequentiallyConsistent) }

    /// Returns the last result if a scan takes longer than the limit.
    func sightings(_ sources: [Camera.Source]) async -> Sightings {
        let paths = Self.paths(of: sources)
        let late = Problem(.deadlineExceeded, "A device does not answer.", remedy: "Unplug it.")
        let deadline = clock.now + limit
        let new = try? await thread.perform(until: deadline, by: clock, otherwise: late) { [self] _ in scan(paths) }
        return new ?? last.withLock(\.sightings)
    }

    /// Like ``sightings(_:)``, without a scan while all is in order and nothing changes: an idle daemon reads no sysfs.
    func watchedSightings(_ sources: [Camera.Source]) async -> Sightings {
        let (known, lastScan) = last.withLock { ($0.sightings, $0.scan) }
        if !sources.isEmpty, sources.allSatisfy(\.isPattern) { return known }
        let changes = self.changes.load(ordering: .sequentiallyConsistent)
        guard let scan = lastScan, changes >= 0, scan.changes == changes,
            clock.now - scan.began < Self.longestUnscanned,
            known.findings.allSatisfy({ $0.authorization == .authorized }),
            sources.allSatisfy({ $0.isPattern || known.finding(for: $0) != nil })
        else { return await sightings(sources) }
        return known
    }

    private static func paths(of sources: [Camera.Source]) -> [String] {
        sources.compactMap { source in if case .node(let path) = source { path } else { nil } }
    }

    /// Scans, also for the nodes of links asked for before; calls before the scan starts are combined.
    func refresh() {
        if changes.load(ordering: .relaxed) >= 0 { changes.add(1, ordering: .sequentiallyConsistent) }
        guard !isRefreshing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        thread.submit { [self] _ in
            isRefreshing.store(false, ordering: .releasing)
            _ = scan(last.withLock { Array($0.sightings.access.keys) })
        }
    }

    /// Scans and keeps the result, even if late, merged with results for other paths.
    private func scan(_ paths: [String]) -> Sightings {
        let scan = Scan(began: clock.now, changes: changes.load(ordering: .sequentiallyConsistent))
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
            last.scan = scan
            (last.sightings.findings, last.sightings.isKnown) = (sightings.findings, true)
            for path in paths {
                last.sightings.nodes[path] = sightings.nodes[path]
                last.sightings.access[path] = sightings.access[path]
            }
        }
        return sightings
    }
}
