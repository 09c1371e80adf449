// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// The owner of the files and folders of a spool; a nil member stays as the process makes it.
package struct Ownership: Hashable, Sendable {
    /// The number of the user.
    package var owner: UInt32?
    /// The number of the group.
    package var group: UInt32?

    /// The owner and the group of these numbers.
    package init(owner: UInt32? = nil, group: UInt32? = nil) {
        self.owner = owner
        self.group = group
    }

    /// Gives what is open as `descriptor` its group, exactly this mode, and its owner, in this order: a caller that
    /// gives a file away may not set its mode any more.
    ///
    /// Returns 0 or an errno. The C functions are `fchown` and `fchmod`.
    func apply(to descriptor: Int32, mode: UInt32) -> Int32 {
        if let group, fchown(descriptor, uid_t.max, group) != 0 { return errno }
        if fchmod(descriptor, mode) != 0 { return errno }
        if let owner, fchown(descriptor, owner, gid_t.max) != 0 { return errno }
        return 0
    }

    /// Gives the symbolic link `name` in `folder` its owner and group.
    ///
    /// Returns 0 or an errno. The C function is `fchownat`.
    func apply(toLink name: String, in folder: Int32) -> Int32 {
        guard owner != nil || group != nil else { return 0 }
        let result = unsafe fchownat(folder, name, owner ?? uid_t.max, group ?? gid_t.max, AT_SYMLINK_NOFOLLOW)
        return result == 0 ? 0 : errno
    }
}

extension Ownership {
    /// The user and the group of these names, or numbers in decimal digits.
    ///
    /// Blocks where the machine looks users up elsewhere (nsswitch.conf(5)). Throws `spool-unavailable` for one that
    /// there is not. The C functions are `getpwnam_r` and `getgrnam_r`.
    package init(owner: String?, group: String?) throws(Problem) {
        self.init(
            owner: try owner.map { name throws(Problem) in try Self.number(ofUser: name) },
            group: try group.map { name throws(Problem) in try Self.number(ofGroup: name) }
        )
    }

    private static func number(ofUser name: String) throws(Problem) -> UInt32 {
        if let number = uid_t(name) { return number }
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        let code = unsafe getpwnam_r(name, &entry, &buffer, buffer.count, &found)
        if code == 0, unsafe found != nil { return unsafe entry.pw_uid }
        throw unknown("user", name)
    }

    private static func number(ofGroup name: String) throws(Problem) -> UInt32 {
        if let number = gid_t(name) { return number }
        var entry = unsafe GroupEntry()
        var found: UnsafeMutablePointer<GroupEntry>?
        // ERANGE says that the member list is longer than the buffer.
        for size in [16_384, 1_048_576] {
            var buffer = [CChar](repeating: 0, count: size)
            let code = unsafe getgrnam_r(name, &entry, &buffer, size, &found)
            if code == 0, unsafe found != nil { return unsafe entry.gr_gid }
            guard code == ERANGE else { break }
        }
        throw unknown("group", name)
    }

    private static func unknown(_ kind: String, _ name: String) -> Problem {
        Problem(
            .spoolUnavailable,
            "There is no \(kind) “\(name)” for the files of the spool.",
            remedy: "Make it (sysusers.d, adduser), or name another in the configuration."
        )
    }

    private typealias GroupEntry = Glibc.group
}
