// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TintypeDevice

/// A descriptor for poll(2) on a device that does not stream: POLLPRI while events of the test are pending.
final class SourceLine: Sendable {
    private let ends: (device: CInt, test: CInt)
    private let waiting = Mutex<[DeviceEvent]>([])

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

    func tell(_ event: DeviceEvent) {
        waiting.withLock { $0.append(event) }
        // Out-of-band data raise POLLPRI (unix(7)).
        var byte = UInt8(1)
        _ = unsafe send(ends.test, &byte, 1, CInt(MSG_OOB))
    }

    func take() -> [DeviceEvent] {
        var byte = UInt8(0)
        _ = unsafe recv(ends.device, &byte, 1, CInt(MSG_OOB | MSG_DONTWAIT))
        return waiting.withLock { exchange(&$0, with: []) }
    }
}
