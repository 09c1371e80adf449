// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// Lookup of users and groups in the name service; every call can block on a remote one (nsswitch.conf(5)).
package enum Accounts {
    package typealias Account = (user: UInt32, groups: [UInt32])
    /// UID for a user name or a decimal UID; nil if unknown (getpwnam_r(3)).
    package static func user(_ name: String) -> UInt32? { number(name) ?? entry(of: name)?.user }
    /// Name of a user, or its UID if it has none (getpwuid_r(3)).
    package static func userName(_ id: UInt32) -> String { entry(of: "\(id)")?.name ?? "\(id)" }

    private static func number(_ text: String) -> UInt32? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt32(text) : nil
    }

    /// GID for a group name or a decimal GID; nil if unknown (getgrnam_r(3)).
    package static func group(_ name: String) -> UInt32? {
        if let number = number(name) { return number }
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        // ERANGE: the member list does not fit into the buffer.
        for size in [16_384, 1_048_576] {
            var buffer = [CChar](repeating: 0, count: size)
            let code = unsafe getgrnam_r(name, &entry, &buffer, size, &found)
            if code == 0, unsafe found != nil { return unsafe entry.gr_gid }
            guard code == ERANGE else { break }
        }
        return nil
    }

    /// Account for a user name or a decimal UID; nil if unknown (getpwnam_r(3), getgrouplist(3)).
    package static func account(_ name: String) -> Account? {
        guard let (name, user, primary) = entry(of: name) else { return nil }
        // NGROUPS_MAX: the maximum number of groups of a process.
        var groups = [gid_t](repeating: 0, count: 65_536)
        var count = CInt(groups.count)
        guard unsafe getgrouplist(name, primary, &groups, &count) >= 0 else { return (user, [primary]) }
        return (user, Array(groups.prefix(Int(count))))
    }

    private static func entry(of name: String) -> (name: String, user: uid_t, group: gid_t)? {
        var entry = unsafe Glibc.passwd()
        var found: UnsafeMutablePointer<Glibc.passwd>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        let code =
            if let number = number(name) {
                unsafe getpwuid_r(number, &entry, &buffer, buffer.count, &found)
            } else {
                unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
            }
        guard code == 0, unsafe found != nil else { return nil }
        return unsafe (String(cString: entry.pw_name), entry.pw_uid, entry.pw_gid)
    }
}

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
