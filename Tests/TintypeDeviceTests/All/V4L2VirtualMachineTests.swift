// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TintypeDevice
import TintypeModel

extension RealDeviceTests {
    /// What only the drivers of the virtual machine can show.
    @Suite(.requiresVirtualMachine, .serialized) struct V4L2VirtualMachineTests {
        private static let nodes = ((try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? [])
            .filter { $0.hasPrefix("video") }
            .map { "/dev/" + $0 }

        private func findings() async -> [CameraDiscovery.Finding] {
            await DeviceStage.perform { CameraDiscovery().scan() }
        }

        @Test func `every named device is found, with card, driver and bus`() async {
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

        @Test func `a node that does not capture video is refused and not listed`() async throws {
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

        @Test func `a device that another program streams from is busy`() async throws {
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

        // Five frames a second come into five buffers.
        @Test func `a frame of v4l2loopback counts as overwritten once its feeder has come round, and not before`()
            async throws
        {
            let test = try #require(TestDevice.hardware.first { $0.testDescription.contains("loopback-yuyv") })
            try await DeviceStage.perform {
                let open = try OpenDevice(test)
                #expect(open.device.overwritesLentBuffers)
                let count = try open.device.start()
                // A frame that waited for a busy machine to look at it may have been overwritten meanwhile: the next is
                // taken. Where every one of a minute counts as overwritten, the check is wrong.
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

        @Test func `links below dev v4l are whole paths that lead to their node`() async {
            for finding in await findings() {
                for link in finding.identity.byID + finding.identity.byPath {
                    #expect(link.hasPrefix("/dev/v4l/"))
                    #expect(URL(filePath: link).resolvingSymlinksInPath().path == finding.identity.path)
                }
            }
        }
    }
}
