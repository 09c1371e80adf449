// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Probes one node once, on a thread of its own, so that a hanging driver does not delay others.
final class NodeProbe: Sendable {
    struct Findings: Sendable {
        /// From sysfs; nil until read.
        var identity: CameraIdentity?
        var outcome: Result<NodeAnswer, DeviceError>?
    }

    let appearance: NodeAppearance
    let began: MonotonicTime
    private let clock: any MonotonicClock
    private let state = Mutex(Findings())
    /// Signalled by the answer, and at the end of each wait.
    private let answered = ThreadSemaphore()

    /// Does not block; if the system refuses the thread, that is the outcome.
    init(
        _ name: String,
        _ appearance: NodeAppearance,
        in folders: DeviceFolders,
        clock: any MonotonicClock,
        asking ask: @escaping CameraDiscovery.Asking
    ) {
        (self.appearance, self.clock, began) = (appearance, clock, clock.now)
        do throws(ResourceError) {
            try NamedThread.start(name: "tt-ask-\(name)") {
                let identity = folders.identity(of: name)
                self.state.withLock { $0.identity = identity }
                let outcome = Result { () throws(DeviceError) in
                    try ask(folders.root + identity.path, DriverCalls(clock: clock))
                }
                self.end(outcome)
            }
        } catch {
            end(.failure(DeviceError(error, path: "/dev/\(name)")))
        }
    }

    private func end(_ outcome: Result<NodeAnswer, DeviceError>) {
        state.withLock { $0.outcome = outcome }
        answered.post()
    }

    var findings: Findings { state.withLock { $0 } }

    /// Blocks until the answer or `moment`.
    func wait(until moment: MonotonicTime) {
        guard findings.outcome == nil, clock.now < moment else { return }
        let alarm = clock.setAlarm(moment) { [answered] in answered.post() }
        while findings.outcome == nil, clock.now < moment { answered.wait() }
        clock.cancelAlarm(alarm)
        // Another thread may wait, too.
        answered.post()
    }

    /// True if the probe failed for a reason that may pass without a change of ``appearance``.
    var mayBeAskedAgain: Bool {
        guard case .failure(let error) = findings.outcome else { return false }
        return switch error {
        // A change of mode changes the appearance.
        case .denied: false
        // The kernel creates the node a moment before the device can be opened; the driver was not reached.
        case .absent, .disconnected: true
        default: clock.now - began > .seconds(1)
        }
    }
}

/// Fingerprint of a node, which changes if it is re-registered, replaced or its mode is changed.
struct NodeAppearance: Equatable, Sendable {
    /// Device number, inode and time of the last change of the file; inode of the node's sysfs directory: the kernel
    /// creates a new one with each registration, even if the file in /dev was created by hand and persists (`mknod`,
    /// `docker --device`).
    private let marks: [Int]

    /// stat(2); nil if there is no file.
    init?(of name: String, in folders: DeviceFolders) {
        var folder = stat()
        let isRegistered = unsafe stat("\(folders.root)/sys/class/video4linux/\(name)", &folder) == 0
        var status = stat()
        guard unsafe stat("\(folders.root)/dev/\(name)", &status) == 0 else { return nil }
        marks = [
            Int(truncatingIfNeeded: status.st_rdev), Int(truncatingIfNeeded: status.st_ino),
            status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            isRegistered ? Int(truncatingIfNeeded: folder.st_ino) : 0,
        ]
    }
}

/// `VIDIOC_QUERYCAP`.
package struct NodeAnswer: Hashable, Sendable {
    package var card: String
    package var driver: String
    package var busInfo: String
    /// True for a video capture device that supports streaming.
    package var isCapture: Bool

    /// Opens, queries and closes a node, which does not turn on the camera's light; blocks in the driver.
    package static func query(_ path: String, _ calls: DriverCalls) throws(DeviceError) -> NodeAnswer {
        try V4L2Capability(V4L2Node(path: path, calls: calls)).answer
    }

    /// Replaces data from sysfs by the driver's own.
    func completing(_ identity: CameraIdentity) -> CameraIdentity {
        var identity = identity
        (identity.card, identity.driver, identity.busInfo) = (card, driver, busInfo)
        return identity
    }
}
