// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Blocks threads until it is opened, like a slow disk, encoder or driver.
package final class Gate: Sendable {
    private let descriptors: (read: CInt, write: CInt)

    package init() {
        var pair: [CInt] = [-1, -1]
        let status = unsafe pipe(&pair)
        precondition(status == 0, "pipe: error \(errno)")
        descriptors = (pair[0], pair[1])
    }

    deinit {
        close(descriptors.read)
        close(descriptors.write)
    }

    /// Releases all present and future waiters.
    package func open() {
        var byte: UInt8 = 1
        unsafe write(descriptors.write, &byte, 1)
    }

    /// Blocks until the gate is open; returns true.
    @discardableResult
    package func wait() -> Bool {
        var item = pollfd(fd: descriptors.read, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&item, 1, -1) == 1
    }
}
