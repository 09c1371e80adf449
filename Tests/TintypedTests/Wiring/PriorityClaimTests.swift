// SPDX-License-Identifier: Apache-2.0
import DeviceReplay
import Testing
import TintypeDevice
import TintypeModel

@testable import tintyped

struct PriorityClaimTests {
    /// A camera whose driver has this priority; nil for one without priorities.
    private func device(_ priority: UInt32?) throws -> V4L2Device {
        var record = DeviceRecord(driver: "gspca", card: "Cam", busInfo: "usb-1", capabilities: HexNumber(0x0400_0001))
        record.priority = priority
        return try V4L2Device(replaying: record)
    }

    @Test func `every device that is opened gets the priority of the configuration`() throws {
        let lines = LineRecorder()
        let claim = PriorityClaim(.record, for: "front", logger: lines.logger)
        for _ in 0..<2 {
            let device = try device(2)
            try claim.make(on: device)
            #expect(try device.record().priority == 3)
        }
        #expect(lines.lines.isEmpty)
    }

    @Test func `a driver without priorities is told once, however often the camera is opened`() throws {
        let lines = LineRecorder()
        let claim = PriorityClaim(.record, for: "front", logger: lines.logger)
        for _ in 0..<3 { try claim.make(on: try device(nil)) }
        #expect(lines.lines.count == 1)
        let line = try #require(lines.lines.first)
        #expect(line.contains("the driver gspca has no priorities") && line.contains("camera=front"), "\(line)")
    }
}
