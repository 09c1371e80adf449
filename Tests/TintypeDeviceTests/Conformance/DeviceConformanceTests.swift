// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice

extension RealDeviceTests {
    /// The same checks on the test pattern and on every device that is named.
    @Suite(.serialized) struct DeviceConformanceTests {
        @Test(arguments: TestDevice.patterns, DeviceConformance.checks)
        func `the test pattern does what sessions rely on`(_ device: TestDevice, _ check: DeviceConformance.Check)
            async throws
        {
            try await DeviceStage.perform { try check.run(DeviceConformance(test: device)) }
        }

        @Test(.requiresDevices, arguments: TestDevice.hardware, DeviceConformance.checks)
        func `a device does what sessions rely on (oldest-first after idle)`(
            _ device: TestDevice,
            _ check: DeviceConformance.Check
        ) async throws {
            try await DeviceStage.perform { try check.run(DeviceConformance(test: device)) }
        }
    }
}

/// The suites on devices that exist once: one test at a time.
@Suite(.serialized) struct RealDeviceTests {}
