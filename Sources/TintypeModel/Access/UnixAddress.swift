// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// The address of a Unix socket, as the kernel has it (unix(7)).
package enum UnixAddress {
    /// The bytes that a path may have: `sun_path` less its final zero.
    package static var longestPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// What `call` returns for the address with this name: a path, an abstract name behind a zero, or no byte for a name
    /// that the kernel chooses.
    ///
    /// It has ``longestPath`` bytes at most.
    package static func with<Result>(
        _ name: some Collection<UInt8>,
        _ call: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        precondition(name.count <= longestPath, "a name that is too long for a socket")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        // An abstract name has exactly the length that is given; a path may have its final zero or not.
        let offset = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        let length = socklen_t(offset + name.count)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, length) }
        }
    }
}
