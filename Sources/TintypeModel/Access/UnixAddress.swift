// SPDX-License-Identifier: Apache-2.0
package import Glibc

package enum UnixAddress {
    /// Maximum length of a path in bytes: the size of `sun_path` less its terminating NUL.
    package static var longestPath: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// Calls `call` with the address of a path, of an abstract name with a leading NUL, or, if empty, of a name that
    /// the kernel chooses (autobind); at most ``longestPath`` bytes.
    package static func with<Result>(
        _ name: some Collection<UInt8>,
        _ call: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        precondition(name.count <= longestPath, "a name that is too long for a socket")
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        // The length of an abstract name is exact; the terminating NUL of a path is optional.
        let offset = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        let length = socklen_t(offset + name.count)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, length) }
        }
    }
}
