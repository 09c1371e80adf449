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
