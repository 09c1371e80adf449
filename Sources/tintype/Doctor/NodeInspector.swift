// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// Owner, mode and openers of device nodes, from outside: opens no device.
struct NodeInspector {
    /// sysfs folder of video nodes; replaced in tests.
    var list = "/sys/class/video4linux"
    /// Mount point of proc(5); replaced in tests.
    var processes = "/proc"
    var daemon: pid_t?

    var nodes: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: list)) ?? [])
            .compactMap { name in name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil }
            .sorted().map { "/dev/video\($0)" }
    }

    /// Evidence about the node at `path`, following links; nil if it is not a device.
    func evidence(_ path: String) -> NodeEvidence? {
        guard let facts = try? SystemCalls.facts(path), facts.isCharacterDevice else { return nil }
        let (holders, unseen) = holders(of: facts.device)
        return NodeEvidence(
            path: path,
            owner: Accounts.userName(facts.owner),
            group: SystemCalls.groupName(facts.group),
            // Four octal digits.
            mode: String(String(0o10000 | facts.mode & 0o7777, radix: 8).dropFirst()),
            daemon: daemon.flatMap { account(of: $0) },
            holders: holders,
            unseenProcesses: unseen
        )
    }

    /// Processes that have the device open, by pid, and the number of processes that could not be inspected.
    ///
    /// Reads links in /proc/PID/fd, and calls stat(2) only for targets that may be a camera: other files may be on a
    /// filesystem that hangs. Only root can inspect processes of other users.
    func holders(of device: dev_t) -> (holders: [NodeHolder], unseen: Int) {
        var holders: [NodeHolder] = []
        var unseen = 0
        let all = (try? FileManager.default.contentsOfDirectory(atPath: processes)) ?? []
        for pid in all.compactMap({ pid_t($0) }).sorted() {
            let folder = "\(processes)/\(pid)/fd"
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: folder)
            } catch {
                // All other errors mean that the process has ended.
                if (error as? CocoaError)?.code == .fileReadNoPermission { unseen += 1 }
                continue
            }
            let isHolder = names.contains { name in
                let path = "\(folder)/\(name)"
                guard let target = SystemCalls.link(path), Self.mayBeCamera(target) else { return false }
                guard let facts = try? SystemCalls.facts(path) else { return false }
                return facts.isCharacterDevice && facts.device == device
            }
            guard isHolder else { continue }
            let name = text("\(pid)/comm")?.split(separator: "\n").first.map { String($0) } ?? "unknown"
            let user = account(of: pid)?.user ?? "unknown"
            holders.append(NodeHolder(pid: pid, command: name, user: user, isDaemon: pid == daemon))
        }
        return (holders, unseen)
    }

    /// A node opened in a container may have another path, or a name without a folder.
    private static func mayBeCamera(_ target: String) -> Bool {
        target.hasPrefix("/dev/") || (target.split(separator: "/").last?.contains("video") ?? false)
    }

    /// Effective user, effective group and supplementary groups of a process; nil if they cannot be read.
    func account(of pid: pid_t) -> (user: String, groups: [String])? {
        guard let text = text("\(pid)/status") else { return nil }
        let numbers = { (name: String) -> [UInt32] in
            let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return line.split(whereSeparator: { " \t".contains($0) }).compactMap { UInt32($0) }
        }
        // Real, effective, saved and filesystem ids.
        let (users, group) = (numbers("Uid"), numbers("Gid"))
        guard users.count == 4, group.count == 4 else { return nil }
        let groups = [group[1]] + numbers("Groups").filter { $0 != group[1] }
        return (Accounts.userName(users[1]), groups.map(SystemCalls.groupName))
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: "\(processes)/\(path)").map { String(decoding: $0, as: UTF8.self) }
    }
}

struct NodeEvidence {
    var path: String
    var owner, group: String
    var mode: String
    /// User and groups of the daemon; nil if unknown.
    var daemon: (user: String, groups: [String])?
    var holders: [NodeHolder] = []
    var unseenProcesses = 0
}

struct NodeHolder: Hashable, CustomStringConvertible {
    var pid: pid_t
    /// From /proc/PID/comm.
    var command: String
    var user: String
    var isDaemon: Bool

    /// For example `v4l2-ctl (pid 812, user root)`.
    var description: String { "\(command) (pid \(pid), user \(user))" }
}
