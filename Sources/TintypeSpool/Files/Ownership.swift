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
    /// Blocks as ``Accounts`` does. Throws `spool-unavailable` for one that there is not.
    package init(owner: String?, group: String?) throws(Problem) {
        self.init(
            owner: try owner.map { name throws(Problem) in try Self.known(Accounts.user(name), "user", name) },
            group: try group.map { name throws(Problem) in try Self.known(Accounts.group(name), "group", name) }
        )
    }

    private static func known(_ number: UInt32?, _ kind: String, _ name: String) throws(Problem) -> UInt32 {
        if let number { return number }
        throw Problem(
            .spoolUnavailable,
            "There is no \(kind) “\(name)” for the files of the spool.",
            remedy: "Make it (sysusers.d, adduser), or name another in the configuration."
        )
    }
}
