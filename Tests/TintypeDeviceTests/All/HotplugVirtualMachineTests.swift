// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

extension RealDeviceTests {
    /// The watcher on a real kernel and its /dev.
    @Suite(.requiresVirtualMachine, .serialized) struct HotplugVirtualMachineTests {
        private static let node = "video20"

        /// Has the kernel send a message about the node (Documentation/ABI/testing/sysfs-uevent).
        private func trigger(times: Int = 1) throws {
            let file = try FileHandle(forWritingTo: URL(filePath: "/sys/class/video4linux/\(Self.node)/uevent"))
            for _ in 0..<times { try file.write(contentsOf: Data("change".utf8)) }
            try file.close()
        }

        @Test func `the kernel's messages are heard, without udev`() async throws {
            try await FakeMachine.with { machine in
                let recorder = Recorder<NodeChange>()
                let watcher = NodeWatcher(machine.folders) { recorder.add($0) }
                #expect(watcher.errors.isEmpty)
                try trigger()
                try await recorder.wait(for: .changed(name: Self.node))
                withExtendedLifetime(watcher) {}
            }
        }

        @Test func `messages that were lost are told as missed, and those after them are heard`() async throws {
            try await FakeMachine.with { machine in
                let recorder = Recorder<NodeChange>()
                let gate = Gate()
                let watcher = NodeWatcher(machine.folders, capacity: 1) { changes in
                    let isFirst = recorder.values.isEmpty
                    recorder.add(changes)
                    if isFirst { gate.wait() }
                }
                try trigger()
                try await recorder.wait(for: .changed(name: Self.node))
                // While the handler is busy, more than the socket keeps.
                try trigger(times: 100)
                gate.open()
                try await recorder.wait(for: .missed)
                recorder.forget()
                try trigger()
                try await recorder.wait(for: .changed(name: Self.node))
                withExtendedLifetime(watcher) {}
            }
        }

        @Test func `permissions of a real node are heard, without the kernel's messages`() async throws {
            let recorder = Recorder<NodeChange>()
            let watcher = NodeWatcher(hearsKernel: false) { recorder.add($0) }
            #expect(watcher.errors.isEmpty)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "/dev/\(Self.node)")
            try await recorder.wait(for: .changed(name: Self.node))
            withExtendedLifetime(watcher) {}
        }

        @Test func `vivid and v4l2loopback are told apart by what is known of them`() async throws {
            let found = await DeviceStage.perform { CameraDiscovery().scan() }.map(\.identity)
            #expect(found.count >= 6)
            for identity in found {
                let match = try #require(CameraMatch.best(for: identity, among: found))
                let located = try await DeviceStage.perform { try CameraDiscovery().locate(match) }
                #expect(located == identity, "\(match)")
                // A number may change; these drivers give a better hint.
                #expect(match.conditions[.path] == nil, "\(match)")
            }
            let ambiguous = await DeviceStage.perform {
                #expect(throws: DeviceError.self) { try CameraDiscovery().locate(CameraMatch([.driver: "vivid"])) }
            }
            #expect(ambiguous?.problem.code == .cameraAmbiguous)
            #expect(ambiguous?.problem.remedy.contains("/dev/video21 has {busInfo: \"platform:vivid-001\"}") == true)
        }
    }
}
