// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// An open file descriptor with one owner: closed when its owner ends.
struct Descriptor: ~Copyable {
    let rawValue: CInt
    private let calls: DriverCalls?

    /// Takes over an open descriptor, and closes it at its end.
    init(_ rawValue: CInt) {
        self.rawValue = rawValue
        calls = nil
    }

    /// Opens a device node for reading and writing, non-blocking.
    ///
    /// The C function is `open`.
    init(device path: String, marking calls: DriverCalls) throws(DeviceError) {
        // What times the call may make others, which set errno too.
        let (descriptor, code) = calls.during(.open) {
            let descriptor = unsafe path.withCString { unsafe cv4l2_open($0, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
            return (descriptor, errno)
        }
        guard descriptor >= 0 else { throw DeviceError(operation: "open", path: path, errno: code) }
        rawValue = descriptor
        self.calls = calls
    }

    deinit {
        let descriptor = rawValue
        if let calls {
            calls.during(.close) { _ = close(descriptor) }
        } else {
            close(descriptor)
        }
    }
}
