// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeModel

/// A device that is open and configured for a small picture; only on a device thread.
struct OpenDevice {
    let device: any CaptureDevice
    let granted: GrantedFormat

    /// Small, so that an emulated machine keeps up.
    static let smallWish = FormatWish(size: FrameSize(width: 320, height: 180))

    init(_ test: TestDevice, wish: FormatWish = OpenDevice.smallWish, calls: DriverCalls = DriverCalls()) throws {
        device = try test.open(calls)
        let format = try wish.resolve(
            offered: device.formats(),
            current: device.currentFormat(),
            of: device.identity
        )
        granted = try device.configure(format)
    }

    /// The next good frame, waited for.
    func nextFrame(sourceLocation: SourceLocation = #_sourceLocation) throws -> FrameLease {
        let end = MonotonicTime.now() + .seconds(10) * Waiting.scale
        while MonotonicTime.now() < end {
            var drain = try device.dequeue()
            if let lease = drain.newest.take() { return lease }
            _ = Waiting.isReadable(device.descriptor, within: .seconds(1))
        }
        throw NoFrame(path: device.identity.path)
    }

    /// No good frame came within 10 s.
    struct NoFrame: Error {
        let path: String
    }
}
