// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// Owner of the files and folders of a spool; nil members keep the process's default.
package struct Ownership: Hashable, Sendable {
    package var owner: UInt32?
    package var group: UInt32?

    /// Sets group, mode and owner of an open file, in this order, since a process that gives a file away may no longer
    /// set its mode; returns 0 or an errno (fchown(2), fchmod(2)).
    func apply(to descriptor: Int32, mode: UInt32) -> Int32 {
        if let group, fchown(descriptor, uid_t.max, group) != 0 { return errno }
        if fchmod(descriptor, mode) != 0 { return errno }
        if let owner, fchown(descriptor, owner, gid_t.max) != 0 { return errno }
        return 0
    }

    /// Sets the owner and group of the symbolic link `name` in `folder`; returns 0 or an errno (fchownat(2)).
    func apply(toLink name: String, in folder: Int32) -> Int32 {
        guard owner != nil || group != nil else { return 0 }
        let result = unsafe fchownat(folder, name, owner ?? uid_t.max, group ?? gid_t.max, AT_SYMLINK_NOFOLLOW)
        return result == 0 ? 0 : errno
    }
}

extension Ownership {
    /// Looks up names or decimal ids, as ``Accounts``; throws `spool-unavailable` for an unknown one; blocks.
    package init(owner: String?, group: String?) throws(Problem) {
        self.init(
            owner: try owner.map { name throws(Problem) in try Self.known(Accounts.user(name), "user", name) },
            group: try group.map { name throws(Problem) in try Self.known(Accounts.group(name), "group", name) }
        )
    }

    private static func known(_ number: UInt32?, _ kind: String, _ name: String) throws(Problem) -> UInt32 {
        if let number { return number }
        let detail = "There is no \(kind) “\(name)” for the files of the spool."
        let remedy = "Make it (sysusers.d, adduser), or name another in the configuration."
        throw Problem(.spoolUnavailable, detail, remedy: remedy)
    }
}
