// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc

/// The processes of this machine, as /proc shows them (proc(5)).
struct ProcessTable {
    /// Where they are; another folder in tests.
    var root = "/proc"

    /// The user and the groups of a process.
    struct Account: Hashable {
        let user: uid_t
        /// The group that it runs as, and its supplementary ones.
        let groups: [gid_t]
    }

    /// The processes that have the device open, in order of their numbers, and how many could not be looked into.
    ///
    /// Reads links and asks stat(2) of those that lead to something like a camera: a file of any other name may lie on
    /// a disk that does not answer. Only root sees the processes of others.
    func holders(of device: dev_t, daemon: pid_t?) -> (holders: [NodeHolder], unseen: Int) {
        var holders: [NodeHolder] = []
        var unseen = 0
        let processes = ((try? SystemCalls.entries(root)) ?? []).compactMap { pid_t($0) }.sorted()
        for pid in processes {
            let folder = "\(root)/\(pid)/fd"
            let names: [String]
            do throws(SystemError) {
                names = try SystemCalls.entries(folder)
            } catch {
                // Everything else says that it has ended.
                if error.code == EACCES || error.code == EPERM { unseen += 1 }
                continue
            }
            let isHolder = names.contains { name in
                let path = "\(folder)/\(name)"
                guard let target = SystemCalls.link(path), Self.mayBeCamera(target) else { return false }
                guard let facts = try? SystemCalls.facts(path) else { return false }
                return facts.isCharacterDevice && facts.device == device
            }
            guard isHolder else { continue }
            let user = account(of: pid).map { SystemCalls.userName($0.user) } ?? "unknown"
            holders.append(NodeHolder(pid: pid, command: command(of: pid), user: user, isDaemon: pid == daemon))
        }
        return (holders, unseen)
    }

    /// In a container a node may have another path, and its own name below no folder at all.
    private static func mayBeCamera(_ target: String) -> Bool {
        target.hasPrefix("/dev/") || (target.split(separator: "/").last?.contains("video") ?? false)
    }

    /// The name of a process; `unknown` if it has ended.
    func command(of pid: pid_t) -> String {
        guard let text = text("\(pid)/comm"), !text.isEmpty else { return "unknown" }
        return text.last == "\n" ? String(text.dropLast()) : text
    }

    /// The effective user of a process; nil if that cannot be read.
    func account(of pid: pid_t) -> Account? {
        guard let text = text("\(pid)/status") else { return nil }
        let numbers = { (name: String) -> [UInt32]? in
            let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
            return line?.dropFirst(name.count + 1).split(whereSeparator: { " \t".contains($0) }).compactMap {
                UInt32($0)
            }
        }
        // Real, effective, saved and file system user.
        guard let users = numbers("Uid"), users.count == 4, let group = numbers("Gid"), group.count == 4 else {
            return nil
        }
        let groups = [group[1]] + (numbers("Groups") ?? []).filter { $0 != group[1] }
        return Account(user: users[1], groups: groups)
    }

    private func text(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
