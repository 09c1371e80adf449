// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc

/// Looks at device nodes from outside: by their owners and modes, and by who has them open.
///
/// Opens none.
struct NodeInspector {
    /// Where the kernel lists video nodes; another folder in tests.
    var list = "/sys/class/video4linux"
    /// The processes that may have one open.
    var processes = ProcessTable()
    /// The daemon's process; nil if that is not known.
    var daemon: pid_t?

    /// The paths of all video nodes that the kernel lists, in order of their numbers.
    var nodes: [String] {
        ((try? SystemCalls.entries(list)) ?? [])
            .compactMap { name in name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil }
            .sorted().map { "/dev/video\($0)" }
    }

    /// The visible properties of the node at `path`, links followed; nil where no device is.
    func evidence(_ path: String) -> NodeEvidence? {
        guard let facts = try? SystemCalls.facts(path), facts.isCharacterDevice else { return nil }
        let (holders, unseen) = processes.holders(of: facts.device, daemon: daemon)
        return NodeEvidence(
            path: path,
            owner: SystemCalls.userName(facts.owner),
            group: SystemCalls.groupName(facts.group),
            mode: Self.octal(facts.mode),
            daemon: daemon.flatMap { processes.account(of: $0) },
            holders: holders,
            unseenProcesses: unseen
        )
    }

    private static func octal(_ mode: mode_t) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// This process's view of a device node.
struct NodeEvidence: Hashable {
    /// Its path.
    var path: String
    /// The user and the group that own it.
    var owner, group: String
    /// Its mode in octal digits.
    var mode: String
    /// The user and the groups of the daemon; nil if they are not known.
    var daemon: ProcessTable.Account?
    /// The processes that have it open.
    var holders: [NodeHolder] = []
    /// Processes that could not be looked into.
    var unseenProcesses = 0
}

/// A process that has a node open.
struct NodeHolder: Hashable {
    /// Its number.
    var pid: pid_t
    /// Its name (/proc/PID/comm).
    var command: String
    /// The user that it runs as.
    var user: String
    /// Whether it is the daemon itself.
    var isDaemon: Bool
}

extension NodeHolder: CustomStringConvertible {
    /// As in `v4l2-ctl (pid 812, user root)`.
    var description: String { "\(command) (pid \(pid), user \(user))" }
}

/// The processes of this machine, as /proc shows them (proc(5)).
struct ProcessTable {
    /// Where they are; another folder in tests.
    var root = "/proc"

    /// The user and the groups of a process.
    struct Account: Hashable {
        let user: String
        /// The group that it runs as, and its supplementary ones.
        let groups: [String]
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
            let user = account(of: pid)?.user ?? "unknown"
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
        return Account(user: SystemCalls.userName(users[1]), groups: groups.map(SystemCalls.groupName))
    }

    private func text(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
