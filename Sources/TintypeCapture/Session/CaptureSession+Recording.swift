// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

extension CaptureSession {
    /// What the device answers to every question of the driver interface; opens it for this if it is closed, and closes it
    /// again.
    ///
    /// Throws `configuration-unsupported` for the test pattern, and what keeps the device from being opened.
    package nonisolated func record() async throws(Problem) -> DeviceRecord {
        try await ask("record") { await $0.record($1) }
    }

    private func record(_ reply: Reply<DeviceRecord>) async {
        do throws(DeviceError) {
            let record = try await onThread { (side) throws(DeviceError) in
                reply.isAwaited ? try side.record() : nil
            }
            if let record { reply.resolve(.success(record)) }
        } catch {
            var problem = error.problem
            if case .unsupported = error { problem.remedy = "Name a camera that is a device, such as /dev/video0." }
            reply.resolve(.failure(problem))
        }
    }
}

extension DeviceSide {
    fileprivate func record() throws(DeviceError) -> DeviceRecord {
        if let camera { return try camera.device.record() }
        return try context.open(context.calls).record()
    }
}
