// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice

struct DevicePriorityTests {
    @Test(arguments: zip([DevicePriority.background, .interactive, .record], UInt32(1)...3))
    func `a priority is the one that the driver has afterwards`(_ priority: DevicePriority, _ number: UInt32) throws {
        let driver = FakeCameraIoctls()
        driver.priority = V4L2_PRIORITY_INTERACTIVE.rawValue
        #expect(try driver.device().claim(priority))
        #expect(driver.priority == number)
    }

    @Test func `a driver without priorities says so, and goes on`() throws {
        let driver = FakeCameraIoctls()
        #expect(try !driver.device().claim(.record))
        #expect(driver.priority == nil)
    }
}

extension RealDeviceTests {
    /// Two programs at one vivid.
    @Suite(.requiresVirtualMachine, .serialized) struct DevicePriorityVirtualMachineTests {
        @Test func `with the highest priority no other program changes the device, until it is closed`() async throws {
            let test = try #require(TestDevice.hardware.first { $0.testDescription.hasPrefix("vivid-webcam") })
            let path = try #require(test.path)
            try await DeviceStage.perform {
                let other = try V4L2Device(path: path, calls: DriverCalls())
                func set() throws -> ControlOutcome.Result? {
                    try DeviceControls(of: other).apply(ControlSettings(["brightness": .integer(77)])).first?.result
                }
                do {
                    let device = try V4L2Device(path: path, calls: DriverCalls())
                    #expect(try device.claim(.record))
                    var highest: UInt32 = 0
                    try other.node.perform(.priority, CV4L2_G_PRIORITY, &highest)
                    #expect(highest == V4L2_PRIORITY_RECORD.rawValue)
                    #expect(try set() == .refused)
                    let busy = DeviceError.busy(path: path, operation: "VIDIOC_S_PRIORITY")
                    #expect(throws: busy) { try other.claim(.record) }
                    let own = try DeviceControls(of: device).apply(ControlSettings(["brightness": .integer(78)]))
                    #expect(own.map(\.result) == [.applied])
                }
                #expect(try set() == .applied)
                _ = try DeviceControls(of: other).restoreDefaults()
            }
        }
    }
}
