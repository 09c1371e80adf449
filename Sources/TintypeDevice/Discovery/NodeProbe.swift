// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// One node being asked, once, when it appears; on a thread of its own, so that a driver that hangs holds up no other.
final class NodeProbe: Sendable {
    /// What is known so far.
    struct Findings: Sendable {
        /// What sysfs tells; nil until it has been read.
        var identity: CameraIdentity?
        /// What the node answered; nil until it has.
        var outcome: Result<NodeAnswer, DeviceError>?
    }

    /// What the node looked like when it was asked.
    let appearance: NodeAppearance
    let began: MonotonicTime
    private let clock: any MonotonicClock
    private let state = Mutex(Findings())
    /// Woken by the answer, and never drained: its descriptor is readable from then on.
    private let answered = ThreadWakeup()

    /// Begins to ask the node `name` and returns at once; waits go by `clock`.
    init(
        _ name: String,
        _ appearance: NodeAppearance,
        in folders: DeviceFolders,
        clock: any MonotonicClock,
        asking ask: @escaping CameraDiscovery.Asking
    ) {
        self.appearance = appearance
        self.clock = clock
        began = clock.now
        NamedThread.start(name: "tt-ask-\(name)") {
            let identity = folders.identity(of: name)
            self.state.withLock { $0.identity = identity }
            let outcome: Result<NodeAnswer, DeviceError>
            do throws(DeviceError) {
                outcome = .success(try ask(folders.root + identity.path, DriverCalls(clock: clock)))
            } catch {
                outcome = .failure(error)
            }
            self.state.withLock { $0.outcome = outcome }
            self.answered.wake()
        }
    }

    var findings: Findings { state.withLock { $0 } }

    /// Waits for the answer until `moment`; blocks.
    func wait(until moment: MonotonicTime) {
        guard findings.outcome == nil, clock.now < moment else { return }
        let timer = clock.timer()
        timer.set(moment, every: .zero)
        while findings.outcome == nil, clock.now < moment {
            var polls: InlineArray<2, pollfd> = [
                pollfd(fd: answered.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: timer.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            var span = polls.mutableSpan
            _ = unsafe span.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, nfds_t($0.count), -1) }
        }
        withExtendedLifetime(timer) {}
    }

    /// Whether it may be asked once more: it could not be, for a reason that may pass without a trace in its file.
    var mayBeAskedAgain: Bool {
        guard case .failure(let error) = findings.outcome else { return false }
        return switch error {
        // A change of its mode changes its appearance.
        case .denied: false
        // The kernel makes the node a moment before the device can be opened: nothing has reached the driver yet.
        case .absent, .disconnected: true
        default: clock.now - began > .seconds(1)
        }
    }
}

/// What changes when another device, or the same one again, takes a node's name; also when its mode is changed.
struct NodeAppearance: Equatable, Sendable {
    private let device: UInt
    private let inode: UInt
    private let changedSeconds: Int
    private let changedNanoseconds: Int
    /// The folder of the node in sysfs; nil where there is none.
    ///
    /// The kernel makes a new one with each registration, also where the file in /dev was made by hand and stays
    /// (`mknod`, `docker --device`).
    private let registration: UInt?

    /// The appearance of the node `name`, as in `video0`; nil where it has no file.
    ///
    /// The C function is `stat`.
    init?(of name: String, in folders: DeviceFolders) {
        var folder = stat()
        let isRegistered = unsafe stat("\(folders.root)/sys/class/video4linux/\(name)", &folder) == 0
        registration = isRegistered ? UInt(folder.st_ino) : nil
        var status = stat()
        guard unsafe stat("\(folders.root)/dev/\(name)", &status) == 0 else { return nil }
        device = UInt(status.st_rdev)
        inode = UInt(status.st_ino)
        changedSeconds = status.st_ctim.tv_sec
        changedNanoseconds = status.st_ctim.tv_nsec
    }
}
