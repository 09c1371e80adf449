// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct NodeInspectorTests {
    private func write(_ text: String, _ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test func `this process is a holder of a device that it has open`() throws {
        let descriptor = unsafe open("/dev/full", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try #require(descriptor >= 0)
        let inspector = NodeInspector(daemon: getpid())
        let node = try #require(inspector.evidence("/dev/full"))
        #expect(node.owner == "root" && node.group == "root" && node.mode == "0666")
        let own = try #require(node.holders.first { $0.pid == getpid() })
        #expect(own.isDaemon)
        #expect(own.user == Accounts.userName(geteuid()) && node.daemon?.user == own.user)
        #expect(try String(contentsOfFile: "/proc/self/comm", encoding: .utf8) == own.command + "\n")
        // Another character device is not listed.
        let other = try #require(NodeInspector().evidence("/dev/zero")).holders
        #expect(!other.contains { $0.pid == getpid() })
    }

    @Test func `holders are identified by device number, not by path`() throws {
        try inTemporaryFolder { root in
            let device = try SystemCalls.facts("/dev/full").device
            let links = [
                "10/fd/3": "/dev/full", "11/fd/3": "/dev/zero", "12/fd/7": "socket:[99]", "13/fd/0": "/dev/gone",
                "self/fd/0": "/dev/full", "14/fd/0": "/dev/null", "14/fd/1": "/dev/full",
            ]
            for (path, target) in links {
                try write("", "\(root)/\(path)")
                try FileManager.default.removeItem(atPath: "\(root)/\(path)")
                try FileManager.default.createSymbolicLink(atPath: "\(root)/\(path)", withDestinationPath: target)
            }
            try write("v4l2-ctl\n", "\(root)/10/comm")
            let status = "Name:\tv4l2-ctl\nUid:\t9\t0\t0\t0\nGid:\t9\t44\t44\t44\nGroups:\t44 4000000001 \n"
            try write(status, "\(root)/10/status")
            let inspector = NodeInspector(processes: root, daemon: 14)
            let (holders, unseen) = inspector.holders(of: device)
            #expect(unseen == 0)
            #expect(
                holders == [
                    NodeHolder(pid: 10, command: "v4l2-ctl", user: "root", isDaemon: false),
                    NodeHolder(pid: 14, command: "unknown", user: "unknown", isDaemon: true),
                ]
            )
            let account = try #require(inspector.account(of: 10))
            #expect(account.user == "root" && account.groups == [SystemCalls.groupName(44), "4000000001"])
            #expect(inspector.account(of: 99) == nil)
        }
    }

    @Test func `nodes are listed from sysfs in numeric order`() throws {
        try inTemporaryFolder { folder in
            for name in ["video10", "video2", "v4l-subdev0", "vbi0", "videoX"] {
                try write("", "\(folder)/\(name)/name")
            }
            let inspector = NodeInspector(list: folder)
            #expect(inspector.nodes == ["/dev/video2", "/dev/video10"])
            #expect(NodeInspector(list: folder + "/none").nodes.isEmpty)
            #expect(inspector.evidence("\(folder)/video2/name") == nil && inspector.evidence("\(folder)/none") == nil)
        }
    }

    @Test func `users and groups without a name are shown by number`() {
        #expect(Accounts.userName(0) == "root")
        #expect(Accounts.userName(4_000_000_001) == "4000000001")
        #expect(SystemCalls.groupName(0) == "root")
        #expect(SystemCalls.groupName(4_000_000_001) == "4000000001")
    }

    @Test(
        arguments: [
            (nil, ["/dev/video0", "/dev/video1"]), ("video7", ["/dev/video7"]),
            ("/dev/v4l/by-id/x", ["/dev/v4l/by-id/x"]),
            ("front", ["/dev/video0", "/dev/video1"]), ("videos", ["/dev/video0", "/dev/video1"]),
        ] as [(String?, [String])]
    )
    func `without a daemon, a device name selects its node and other names select all`(name: String?, paths: [String]) {
        #expect(DoctorCommand.paths(name, ["/dev/video0", "/dev/video1"]) == paths)
    }
}
