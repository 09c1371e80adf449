// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Pipe without room, like one that nothing reads.
package enum FullPipe {
    /// Fills the pipe with the write end `descriptor`, which is blocking again afterwards.
    package static func fill(_ descriptor: CInt) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        let dots = [UInt8](repeating: 0x2E, count: 4096)
        for size in [dots.count, 1] { while unsafe write(descriptor, dots, size) == size {} }
        _ = fcntl(descriptor, F_SETFL, flags)
    }
}
