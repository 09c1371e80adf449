// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// An open V4L2 node and the one way to call its driver.
struct V4L2Node: ~Copyable {
    let path: String
    let calls: DriverCalls
    private let handle: Descriptor

    /// Opens a node for reading and writing, non-blocking.
    init(path: String, calls: DriverCalls) throws(DeviceError) {
        handle = try Descriptor(device: path, marking: calls)
        self.path = path
        self.calls = calls
    }

    var descriptor: CInt { handle.rawValue }

    /// Calls ioctl(2) with `argument`, again after EINTR; returns 0 or the errno.
    func attempt<T>(_ call: DriverCalls.Call, _ request: UInt, _ argument: inout T) -> CInt {
        unsafe withUnsafeMutablePointer(to: &argument) { argument in
            let descriptor = handle.rawValue
            return calls.during(call) {
                while unsafe cv4l2_ioctl(descriptor, request, argument) != 0 {
                    guard errno == EINTR else { return errno }
                }
                return 0
            }
        }
    }

    /// Calls ioctl(2) with `argument` and throws what the driver refuses with.
    func perform<T>(_ call: DriverCalls.Call, _ request: UInt, _ argument: inout T) throws(DeviceError) {
        let code = attempt(call, request, &argument)
        guard code == 0 else { throw DeviceError(operation: call.name, path: path, errno: code) }
    }

    /// Reads the text of a fixed-size C array such as `card`: up to its first NUL.
    static func text<T>(of array: T) -> String {
        unsafe withUnsafeBytes(of: array) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
