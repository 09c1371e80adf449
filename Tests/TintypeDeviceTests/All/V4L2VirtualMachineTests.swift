// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TintypeDevice
import TintypeModel

extension RealDeviceTests {
    /// Behaviour that only the drivers of the virtual machine show.
    @Suite(.requiresVirtualMachine, .serialized) struct V4L2VirtualMachineTests {
        private static let nodes = ((try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? [])
            .filter { $0.hasPrefix("video") }
            .map { "/dev/" + $0 }

        private func findings() async -> [CameraDiscovery.Finding] {
            await DeviceStage.perform { CameraDiscovery().scan() }
        }

        @Test func `finds every test device with card, driver and bus`() async {
            let findings = await findings()
            for device in TestDevice.hardware {
                let finding = findings.first { $0.identity.path == device.path }
                #expect(finding?.authorization == .authorized, "\(device.testDescription)")
                #expect(finding?.identity.card.isEmpty == false)
                #expect(finding?.identity.busInfo.isEmpty == false)
            }
            let drivers = Set(findings.map(\.identity.driver))
            #expect(drivers.isSuperset(of: ["vivid", "v4l2 loopback"]))
        }

        @Test func `every unlisted node is rejected as not a capture device`() async throws {
            let listed = Set(await findings().map(\.identity.path))
            let others = Self.nodes.filter { !listed.contains($0) }
            #expect(!others.isEmpty, "vivid has output and metadata nodes")
            for path in others {
                let error = await DeviceStage.perform { () -> DeviceError? in
                    do throws(DeviceError) {
                        _ = try V4L2Device(path: path, calls: DriverCalls())
                        return nil
                    } catch {
                        return error
                    }
                }
                guard case .notCapture(path, _) = error else {
                    Issue.record("\(path): \(error.map { "\($0)" } ?? "opened")")
                    continue
                }
            }
        }

        @Test func `a device that is already streaming is busy`() async throws {
            let device = try #require(TestDevice.hardware.first { $0.testDescription.contains("vivid") })
            try await DeviceStage.perform {
                let first = try OpenDevice(device)
                _ = try first.device.start()
                _ = try first.nextFrame()
                let error = #expect(throws: DeviceError.self) {
                    let second = try OpenDevice(device)
                    _ = try second.device.start()
                }
                #expect(error?.problem.code == .cameraBusy)
                #expect(error?.problem.remedy.contains(device.path ?? "") == true)
                _ = try first.nextFrame()
            }
        }

        // The feeder writes five frames per second into five buffers.
        @Test func `a v4l2loopback frame counts as overwritten only after a full round of buffers`() async throws {
            let test = try #require(TestDevice.hardware.first { $0.testDescription.contains("loopback-yuyv") })
            try await DeviceStage.perform {
                let open = try OpenDevice(test)
                #expect(open.device.overwritesLentBuffers)
                let count = try open.device.start()
                // On a busy machine a frame may be overwritten before it is checked: it is skipped. The test fails if
                // this holds for every frame of a minute.
                var seen = 0
                for _ in 0..<300 where seen < 3 {
                    let frame = try open.nextFrame()
                    if open.device.mayHaveOverwritten(frame) { continue }
                    for _ in 1..<count { _ = try open.nextFrame() }
                    let isLater = open.device.mayHaveOverwritten(frame)
                    #expect(isLater)
                    seen += 1
                }
                #expect(seen == 3)
            }
        }

        @Test func `by-id and by-path links are absolute and resolve to their node`() async {
            for finding in await findings() {
                for link in finding.identity.byID + finding.identity.byPath {
                    #expect(link.hasPrefix("/dev/v4l/"))
                    #expect(URL(filePath: link).resolvingSymlinksInPath().path == finding.identity.path)
                }
            }
        }
    }
}
