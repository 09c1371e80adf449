// SPDX-License-Identifier: Apache-2.0
import CV4L2
import Glibc
import Testing
import TintypeModel

@testable import TintypeDevice
@testable import tintyped

struct PriorityClaimTests {
    /// The side of a camera's driver that knows what it is, and its priority; nil for one without priorities.
    private final class Driver {
        private(set) var priority: UInt32?

        init(priority: UInt32?) { self.priority = priority }

        func device() throws -> V4L2Device { try V4L2Device(node()) }

        private func node() -> V4L2Node {
            let handle = Descriptor(eventfd(0, CInt(EFD_CLOEXEC)))
            return unsafe V4L2Node(handle, path: "/dev/fake", calls: DriverCalls()) { _, request, argument in
                unsafe self.answer(request, argument)
            }
        }

        private func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
            switch request {
            case CV4L2_QUERYCAP:
                let capability = unsafe argument.assumingMemoryBound(to: v4l2_capability.self)
                unsafe capability.pointee.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
                unsafe withUnsafeMutableBytes(of: &capability.pointee.driver) { bytes in
                    unsafe bytes.copyBytes(from: Array("gspca".utf8))
                }
                return 0
            case CV4L2_S_PRIORITY where priority != nil:
                priority = unsafe argument.assumingMemoryBound(to: UInt32.self).pointee
                return 0
            default: return ENOTTY
            }
        }
    }

    @Test func `every device that is opened gets the priority of the configuration`() throws {
        let lines = LineRecorder()
        let claim = PriorityClaim(.record, for: "front", logger: lines.logger)
        for _ in 0..<2 {
            let driver = Driver(priority: 2)
            try claim.make(on: driver.device())
            #expect(driver.priority == 3)
        }
        #expect(lines.lines.isEmpty)
    }

    @Test func `a driver without priorities is told once, however often the camera is opened`() throws {
        let lines = LineRecorder()
        let claim = PriorityClaim(.record, for: "front", logger: lines.logger)
        for _ in 0..<3 { try claim.make(on: Driver(priority: nil).device()) }
        #expect(lines.lines.count == 1)
        let line = try #require(lines.lines.first)
        #expect(line.contains("the driver gspca has no priorities") && line.contains("camera=front"), "\(line)")
    }
}
