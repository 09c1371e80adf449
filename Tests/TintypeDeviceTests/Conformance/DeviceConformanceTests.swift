// SPDX-License-Identifier: Apache-2.0
import Testing

extension RealDeviceTests {
    /// The same checks on the test pattern and on every named device.
    @Suite(.serialized) struct DeviceConformanceTests {
        @Test(arguments: TestDevice.patterns, DeviceConformance.checks)
        func `the test pattern meets the device contract`(_ device: TestDevice, _ check: DeviceConformance.Check)
            async throws
        {
            try await DeviceStage.perform { try check.run(DeviceConformance(test: device)) }
        }

        @Test(.requiresDevices, arguments: TestDevice.hardware, DeviceConformance.checks)
        func `a real device meets the device contract (oldest-first after idle)`(
            _ device: TestDevice,
            _ check: DeviceConformance.Check
        ) async throws {
            try await DeviceStage.perform { try check.run(DeviceConformance(test: device)) }
        }
    }
}

/// Suites on devices that exist only once: one test at a time.
@Suite(.serialized) struct RealDeviceTests {}
