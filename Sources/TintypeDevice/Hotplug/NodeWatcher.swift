// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeSystem

/// Reports video nodes that are added, removed or changed, from a thread of its own until released; opens no camera.
///
/// Uses uevents and inotify, whichever are available: a container may lack the former, a static /dev the latter.
package final class NodeWatcher: Sendable {
    /// Called on the watcher's thread with the names of changed nodes and links; must not block.
    package typealias Handler = @Sendable ([String]) -> Void

    /// In place of a name, after events were lost: anything may be different.
    package static let overflow = "*"

    /// Receive buffer for uevents in bytes: some hundred messages while the handler runs.
    package static let capacity: CInt = 256 * 1024

    /// Sources that are not available; if both fail, only periodic scans find cameras.
    package let errors: [DeviceError]
    private let wakeup: ThreadWakeup

    /// An overflow of the receive buffer of uevents, of `capacity` bytes, is reported as ``overflow``.
    package init(
        _ folders: DeviceFolders = .machine,
        hearsKernel: Bool = true,
        capacity: CInt = NodeWatcher.capacity,
        handler: @escaping Handler
    ) {
        var errors: [DeviceError] = []
        var uevents: UeventSocket?
        if hearsKernel {
            do throws(DeviceError) { uevents = try UeventSocket(capacity: capacity) } catch { errors.append(error) }
        }
        var files: FolderWatch?
        do throws(DeviceError) { files = try FolderWatch(folders) } catch { errors.append(error) }
        let wakeup = ThreadWakeup()
        do throws(ResourceError) {
            try wakeup.open()
            try NamedThread.start(name: "tt-hotplug") { [wakeup, uevents, files] in
                Self.run(uevents, files, until: wakeup, handler)
            }
        } catch {
            errors.append(DeviceError(error, path: "/dev"))
        }
        (self.wakeup, self.errors) = (wakeup, errors)
    }

    deinit { wakeup.wake() }

    /// The watcher's thread, which ends some time after the watcher.
    private static func run(
        _ uevents: UeventSocket?,
        _ files: FolderWatch?,
        until wakeup: ThreadWakeup,
        _ handler: Handler
    ) {
        // poll(2) ignores negative descriptors.
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
