// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

extension RealDeviceTests {
    /// The watcher on a real kernel and a real /dev.
    @Suite(.requiresVirtualMachine, .serialized) struct HotplugVirtualMachineTests {
        private static let node = "video20"

        /// Makes the kernel send a uevent for the node (Documentation/ABI/testing/sysfs-uevent).
        private func trigger(times: Int = 1) throws {
            let file = try FileHandle(forWritingTo: URL(filePath: "/sys/class/video4linux/\(Self.node)/uevent"))
            for _ in 0..<times { try file.write(contentsOf: Data("change".utf8)) }
            try file.close()
        }

        @Test func `reports kernel uevents without udev`() async throws {
            try await FakeMachine.with { machine in
                let recorder = Recorder<String>()
                let watcher = NodeWatcher(machine.folders) { recorder.add($0) }
                #expect(watcher.errors.isEmpty)
                try trigger()
                try await recorder.wait(for: Self.node)
                withExtendedLifetime(watcher) {}
            }
        }

        @Test func `reports a uevent overrun and the events after it`() async throws {
            try await FakeMachine.with { machine in
                let recorder = Recorder<String>()
                let gate = Gate()
                let watcher = NodeWatcher(machine.folders, capacity: 1) { changes in
                    let isFirst = recorder.values.isEmpty
                    recorder.add(changes)
                    if isFirst { gate.wait() }
                }
                try trigger()
                try await recorder.wait(for: Self.node)
                // Overflow of the socket buffer while the handler is busy.
                try trigger(times: 100)
                gate.open()
                try await recorder.wait(for: NodeWatcher.overflow)
                recorder.forget()
                try trigger()
                try await recorder.wait(for: Self.node)
                withExtendedLifetime(watcher) {}
            }
        }

        @Test func `reports a permission change of a real node`() async throws {
            let recorder = Recorder<String>()
            let watcher = NodeWatcher(hearsKernel: false) { recorder.add($0) }
            #expect(watcher.errors.isEmpty)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "/dev/\(Self.node)")
            try await recorder.wait(for: Self.node)
            withExtendedLifetime(watcher) {}
        }

        @Test func `the best match of each real device locates that device`() async throws {
            let found = await DeviceStage.perform { CameraDiscovery().scan() }.map(\.identity)
            #expect(found.count >= 6)
            for identity in found {
                let match = try #require(CameraMatch.best(for: identity, among: found))
                let located = try await DeviceStage.perform { try CameraDiscovery().locate(match) }
                #expect(located == identity, "\(match)")
                // Node numbers may change; these drivers offer a better condition.
                #expect(match.conditions[.path] == nil, "\(match)")
            }
        }

        @Test func `a match that fits several vivid devices is ambiguous`() async {
            let ambiguous = await DeviceStage.perform {
                #expect(throws: DeviceError.self) { try CameraDiscovery().locate(CameraMatch([.driver: "vivid"])) }
            }
            #expect(ambiguous?.problem.code == .cameraAmbiguous)
            #expect(ambiguous?.problem.remedy.contains("/dev/video21 has {busInfo: \"platform:vivid-001\"}") == true)
        }
    }
}
