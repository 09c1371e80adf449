// SPDX-License-Identifier: Apache-2.0
internal import Glibc

enum StandardError {
    /// One write(2), so that lines of several processes do not mix; a line that cannot be written is lost.
    ///
    /// Blocks while a pipe is full, even one made non-blocking; ``LogWriter`` calls it on its own thread. `descriptor`
    /// can be that of standard output.
    static func write(_ line: String, to descriptor: CInt = STDERR_FILENO) {
        let bytes = Array(line.utf8) + [0x0A]
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 {
                written += count
            } else if count < 0, errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            } else if count < 0, errno != EINTR {
                return
            }
        }
    }

    /// True if `stream` (`JOURNAL_STREAM`) names the file of `descriptor`: device and inode (systemd.exec(5)).
    static func isJournal(_ stream: String?, descriptor: CInt = STDERR_FILENO) -> Bool {
        guard let parts = stream?.split(separator: ":"), parts.count == 2 else { return false }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return UInt64(parts[0]) == UInt64(status.st_dev) && UInt64(parts[1]) == UInt64(status.st_ino)
    }
}
