// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// Owned file descriptor, closed when released.
struct Descriptor: ~Copyable {
    let rawValue: CInt
    private let calls: DriverCalls?

    init(_ rawValue: CInt) {
        self.rawValue = rawValue
        calls = nil
    }

    /// open(2), read-write and non-blocking.
    init(device path: String, marking calls: DriverCalls) throws(DeviceError) {
        // Read errno inside the closure: the timing code may make calls that overwrite it.
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
