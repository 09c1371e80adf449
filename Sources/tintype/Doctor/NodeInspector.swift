// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc

/// Looks at device nodes from outside: by their names, owners and modes, and by who has them open.
///
/// Opens none.
struct NodeInspector {
    /// Where the kernel lists video nodes; another folder in tests.
    var list = "/sys/class/video4linux"
    /// The processes that may have one open.
    var processes = ProcessTable()
    /// The daemon's process; nil if it does not run.
    var daemon: pid_t?
    /// The daemon's process; nil if that is not known.
    var account: ProcessTable.Account?

    /// The paths of all video nodes that the kernel lists, in order of their numbers.
    var nodes: [String] {
        ((try? SystemCalls.entries(list)) ?? [])
            .compactMap { name in name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil }
            .sorted().map { "/dev/video\($0)" }
    }

    /// The visible properties of the node at `path`, links followed.
    func evidence(_ path: String) -> NodeEvidence {
        var node = NodeEvidence(path: path)
        guard let facts = try? SystemCalls.facts(path) else {
            node.isThere = false
            node.isDevice = false
            node.mayOpen = false
            return node
        }
        node.isDevice = facts.isCharacterDevice
        node.owner = SystemCalls.userName(facts.owner)
        node.group = SystemCalls.groupName(facts.group)
        node.mode = Self.octal(facts.mode)
        node.mayOpen = SystemCalls.mayReadAndWrite(path)
        node.daemonMayOpen = account.map { Self.allows($0, facts) }
        guard node.isDevice else { return node }
        node.name = name(of: path)
        (node.holders, node.unseenProcesses) = processes.holders(of: facts.device, daemon: daemon)
        return node
    }

    /// Whether owner, group and mode let a user read and write; access lists may let in others too.
    static func allows(_ account: ProcessTable.Account, _ facts: SystemCalls.FileFacts) -> Bool {
        if account.user == 0 { return true }
        // The first class that fits decides (path_resolution(7)).
        let bits: mode_t =
            if account.user == facts.owner { facts.mode >> 6 } else if account.groups.contains(facts.group) {
                facts.mode >> 3
            } else { facts.mode }
        return bits & 6 == 6
    }

    private static func octal(_ mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private func name(of path: String) -> String? {
        let node = SystemCalls.resolve(path) ?? path
        guard let data = FileManager.default.contents(atPath: "\(list)/\(node.split(separator: "/").last ?? "")/name")
        else { return nil }
        return String(decoding: data.prefix { $0 != 10 }, as: UTF8.self)
    }
}

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
