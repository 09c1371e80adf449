// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Holds encoding threads until it is opened, as a slow encoder would.
final class Gate: Sendable {
    private let descriptors: (read: CInt, write: CInt)

    init() {
        var pair: [CInt] = [-1, -1]
        let status = unsafe pipe(&pair)
        precondition(status == 0, "pipe: error \(errno)")
        descriptors = (pair[0], pair[1])
    }

    deinit {
        close(descriptors.read)
        close(descriptors.write)
    }

    /// Lets everybody through from now on.
    func open() {
        var byte: UInt8 = 1
        unsafe write(descriptors.write, &byte, 1)
    }

    /// Blocks until the gate is open, for at most a minute.
    func wait() {
        var item = pollfd(fd: descriptors.read, events: Int16(POLLIN), revents: 0)
        unsafe poll(&item, 1, 60_000)
    }
}
