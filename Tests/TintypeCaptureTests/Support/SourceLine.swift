// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TintypeDevice

/// What poll(2) waits on for a device that does not stream: POLLPRI while an event waits that a test has told.
final class SourceLine: Sendable {
    private let ends: (device: CInt, test: CInt)
    private let waiting = Mutex<[DeviceEvent]>([])

    /// No event waits.
    init() {
        var pair: [CInt] = [-1, -1]
        _ = unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        ends = (pair[0], pair[1])
    }

    deinit {
        close(ends.device)
        close(ends.test)
    }

    var descriptor: CInt { ends.device }

    /// The driver has an event.
    func tell(_ event: DeviceEvent) {
        waiting.withLock { $0.append(event) }
        // Urgent data are POLLPRI (unix(7)).
        var byte = UInt8(1)
        _ = unsafe send(ends.test, &byte, 1, CInt(MSG_OOB))
    }

    /// The events that wait.
    func take() -> [DeviceEvent] {
        var byte = UInt8(0)
        _ = unsafe recv(ends.device, &byte, 1, CInt(MSG_OOB | MSG_DONTWAIT))
        return waiting.withLock { exchange(&$0, with: []) }
    }
}
