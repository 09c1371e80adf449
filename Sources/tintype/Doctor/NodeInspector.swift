// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc

/// Looks at device nodes from outside: by their owners and modes, and by who has them open.
///
/// Opens none.
struct NodeInspector {
    /// Where the kernel lists video nodes; another folder in tests.
    var list = "/sys/class/video4linux"
    /// Where the processes are that may have one open (proc(5)); another folder in tests.
    var processes = "/proc"
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
        let (holders, unseen) = holders(of: facts.device)
        return NodeEvidence(
            path: path,
            owner: SystemCalls.userName(facts.owner),
            group: SystemCalls.groupName(facts.group),
            // Four digits.
            mode: String(String(0o10000 | facts.mode & 0o7777, radix: 8).dropFirst()),
            daemon: daemon.flatMap { account(of: $0) },
            holders: holders,
            unseenProcesses: unseen
        )
    }

    /// The processes that have the device open, in order of their numbers, and how many could not be looked into.
    ///
    /// Reads links and asks stat(2) of those that lead to something like a camera: a file of any other name may lie on
    /// a disk that does not answer. Only root sees the processes of others.
    func holders(of device: dev_t) -> (holders: [NodeHolder], unseen: Int) {
        var holders: [NodeHolder] = []
        var unseen = 0
        for pid in ((try? SystemCalls.entries(processes)) ?? []).compactMap({ pid_t($0) }).sorted() {
            let folder = "\(processes)/\(pid)/fd"
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
            let name = text("\(pid)/comm")?.split(separator: "\n").first.map { String($0) }
            let user = account(of: pid)?.user
            holders.append(
                NodeHolder(pid: pid, command: name ?? "unknown", user: user ?? "unknown", isDaemon: pid == daemon)
            )
        }
        return (holders, unseen)
    }

    /// In a container a node may have another path, and its own name below no folder at all.
    private static func mayBeCamera(_ target: String) -> Bool {
        target.hasPrefix("/dev/") || (target.split(separator: "/").last?.contains("video") ?? false)
    }

    /// The effective user of a process, the group that it runs as and its supplementary ones; nil if they cannot be read.
    func account(of pid: pid_t) -> (user: String, groups: [String])? {
        guard let text = text("\(pid)/status") else { return nil }
        let numbers = { (name: String) -> [UInt32] in
            let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return line.split(whereSeparator: { " \t".contains($0) }).compactMap { UInt32($0) }
        }
        // Real, effective, saved and file system user.
        let (users, group) = (numbers("Uid"), numbers("Gid"))
        guard users.count == 4, group.count == 4 else { return nil }
        let groups = [group[1]] + numbers("Groups").filter { $0 != group[1] }
        return (SystemCalls.userName(users[1]), groups.map(SystemCalls.groupName))
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: "\(processes)/\(path)").map { String(decoding: $0, as: UTF8.self) }
    }
}

/// This process's view of a device node.
struct NodeEvidence {
    var path: String
    var owner, group: String
    /// Its mode in octal digits.
    var mode: String
    /// The user and the groups of the daemon; nil if they are not known.
    var daemon: (user: String, groups: [String])?
    var holders: [NodeHolder] = []
    var unseenProcesses = 0
}

/// A process that has a node open.
struct NodeHolder: Hashable, CustomStringConvertible {
    var pid: pid_t
    /// Its name (/proc/PID/comm).
    var command: String
    var user: String
    var isDaemon: Bool

    /// As in `v4l2-ctl (pid 812, user root)`.
    var description: String { "\(command) (pid \(pid), user \(user))" }
}
