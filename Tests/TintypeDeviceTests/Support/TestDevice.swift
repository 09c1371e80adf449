// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeSystem

/// A device under test: the pattern, or a node named in the environment.
struct TestDevice: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let open: @Sendable () throws -> any CaptureDevice
    /// Clock of the device: the machine's if a driver stamps frames.
    let clock: any MonotonicClock
    /// Path of the node; nil for the pattern.
    let path: String?

    /// The pattern specified by `text`, with the project's own encoder for MJPEG.
    init(pattern text: String) {
        testDescription = text
        path = nil
        clock = TestClock()
        open = {
            let calls = DriverCalls(clock: TestClock())
            return try PatternDevice(PatternSpec(text), name: "pattern", calls: calls) { picture, layout in
                var encoder = JPEGEncoder()
                return try encoder.encode(picture, layout: layout, quality: 90)
            }
        }
    }

    private init(name: String, path: String) {
        testDescription = "\(name) at \(path)"
        self.path = path
        clock = .system
        open = { try V4L2Device(path: path, calls: DriverCalls()) }
    }

    static let patterns = [
        "YUYV:320x180@100", "NV12:320x180@100", "GREY:320x180@100", "MJPG:320x180@100",
        "BA81:320x180@100", "GBRG:320x180@100", "GRBG:320x180@100", "RGGB:320x180@100", "Y16:320x180@100",
        "YUYV:320x180@100,end-of-frame", "NV12:322x182@50,undated",
    ].map(TestDevice.init(pattern:))

    /// Nodes from `TINTYPE_TEST_DEVICES="NAME=PATH NAME=PATH"`.
    static let hardware: [TestDevice] = (ProcessInfo.processInfo.environment["TINTYPE_TEST_DEVICES"] ?? "")
        .split(separator: " ")
        .map { entry in
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            precondition(parts.count == 2, "TINTYPE_TEST_DEVICES: “\(entry)” is not NAME=PATH")
            return TestDevice(name: parts[0], path: parts[1])
        }

    /// True in the virtual machine with vivid and v4l2loopback.
    static let isVirtualMachine = ProcessInfo.processInfo.environment["TINTYPE_TEST_VM"] == "1"
}

extension Trait where Self == ConditionTrait {
    /// Skips the test if no device is named.
    static var requiresDevices: Self {
        .enabled(if: !TestDevice.hardware.isEmpty, "set TINTYPE_TEST_DEVICES=\"NAME=/dev/videoN …\"")
    }

    /// Skips the test outside the virtual machine.
    static var requiresVirtualMachine: Self {
        .enabled(if: TestDevice.isVirtualMachine, "set TINTYPE_TEST_VM=1 in a machine with vivid and v4l2loopback")
    }
}
