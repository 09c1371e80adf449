// SPDX-License-Identifier: Apache-2.0
import TestSupport
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

        // With `make test-all` the whole of it twice: a device keeps no trace of its last user.
        @Test(
            .requiresDevices,
            arguments: Array(repeating: TestDevice.hardware, count: TestBuild.isOptimized ? 2 : 1).flatMap { $0 },
            DeviceConformance.checks
        )
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
