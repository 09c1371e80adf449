// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Lookup of users and groups in the name service; every call can block on a remote one (nsswitch.conf(5)).
package enum Accounts {
    /// UID of a user and the GIDs of all its groups.
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
