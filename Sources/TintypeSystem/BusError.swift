// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Reports that the process ends by SIGBUS: an access to memory that is mapped from a file whose end was cut off, or
/// whose disk fails.
///
/// SQLite maps the index of its log (`-shm`), which any program may write to that may write to the catalog.
package enum BusError {
    private nonisolated(unsafe) static var line: UnsafeBufferPointer<UInt8>?

    /// Writes `text` and a newline to standard error before SIGBUS ends the process; call it once.
    package static func report(_ text: String) {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
        _ = unsafe bytes.initialize(from: Array(text.utf8) + [0x0A])
        unsafe line = UnsafeBufferPointer(bytes)
        signal(SIGBUS) { number in
            if let line = unsafe BusError.line { _ = unsafe write(STDERR_FILENO, line.baseAddress, line.count) }
            signal(number, SIG_DFL)
            raise(number)
        }
    }
}
