// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Receiving end of `NOTIFY_SOCKET`: a datagram socket like systemd's.
struct NotifyListener: ~Copyable {
    /// Value for `NOTIFY_SOCKET`.
    let address: String
    private let descriptor: CInt

    /// Binds to `address`, a path or `@` and an abstract name.
    init(address: String) throws {
        self.address = address
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(descriptor >= 0, "socket: error \(errno)")
        var name = Array(address.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &target.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let status = unsafe withUnsafePointer(to: &target) { target in
            unsafe target.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        try #require(status == 0, "bind: error \(errno)")
    }

    deinit { _ = close(descriptor) }

    func received() -> [String] {
        var messages: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            guard count >= 0 else { return messages }
            messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
        }
    }
}
