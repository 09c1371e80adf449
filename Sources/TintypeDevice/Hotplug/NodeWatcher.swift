// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeSystem

/// Tells at once when a video node comes, goes or changes; on a thread of its own, until it is released.
///
/// It hears the kernel's messages and watches /dev, whichever of both there is: a container may lack the one, a static
/// /dev the other. Opens no camera.
package final class NodeWatcher: Sendable {
    /// Called on the watcher's thread with all that came at once; must not block.
    package typealias Handler = @Sendable ([NodeChange]) -> Void

    /// Bytes of kernel messages kept while the handler runs: some hundred messages.
    package static let capacity: CInt = 256 * 1024

    /// What cannot be watched, and why; with both missing, only looking now and then finds a camera.
    package let errors: [DeviceError]
    private let loop: WatchLoop

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - folders: where /dev is.
    ///   - hearsKernel: whether the kernel's messages are listened to.
    ///   - capacity: how many bytes of them are kept while the handler runs; more are told as ``NodeChange/missed``.
    ///   - handler: is told.
    package init(
        _ folders: DeviceFolders = .machine,
        hearsKernel: Bool = true,
        capacity: CInt = NodeWatcher.capacity,
        handler: @escaping Handler
    ) {
        let loop = WatchLoop(folders, hearsKernel: hearsKernel, capacity: capacity)
        errors = loop.errors
        self.loop = loop
        NamedThread.start(name: "tt-hotplug") { loop.run(handler) }
    }

    deinit { loop.stop() }
}

/// What the watcher's thread holds; it ends some time after the watcher.
private final class WatchLoop: Sendable {
    let errors: [DeviceError]
    private let uevents: UeventSocket?
    private let files: FolderWatch?
    private let wakeup = ThreadWakeup()

    init(_ folders: DeviceFolders, hearsKernel: Bool, capacity: CInt) {
        var errors: [DeviceError] = []
        var uevents: UeventSocket?
        if hearsKernel {
            do throws(DeviceError) { uevents = try UeventSocket(capacity: capacity) } catch { errors.append(error) }
        }
        self.uevents = uevents
        var files: FolderWatch?
        do throws(DeviceError) { files = try FolderWatch(folders) } catch { errors.append(error) }
        self.files = files
        self.errors = errors
    }

    func stop() { wakeup.wake() }

    func run(_ handler: NodeWatcher.Handler) {
        // poll(2) passes over a descriptor of -1.
        var polls = [wakeup.descriptor, uevents?.descriptor ?? -1, files?.descriptor ?? -1].map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        while true {
            let ready = unsafe polls.withUnsafeMutableBufferPointer {
                unsafe poll($0.baseAddress, nfds_t($0.count), -1)
            }
            guard ready > 0 else { continue }  // EINTR
            guard polls[0].revents == 0 else { return }
            let changes = (uevents?.changes() ?? []) + (files?.changes() ?? [])
            if !changes.isEmpty { handler(changes) }
        }
    }
}

/// What happened to a video node.
package enum NodeChange: Hashable, Sendable {
    /// It was made; its permissions and links may follow.
    case added(name: String)
    /// It was taken away.
    case removed(name: String)
    /// Something about it is different: its permissions, its links, or what it is bound to.
    case changed(name: String)
    /// Some changes were missed: anything may be different.
    case missed
}
