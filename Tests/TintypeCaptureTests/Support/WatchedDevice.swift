// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeDevice
import TintypeModel

/// What happened to the devices of one session.
final class DeviceLog: Sendable {
    private struct Counts {
        var openings = 0
        var open = 0
        var opened = 0
        var mostOpen = 0
        var dequeues = 0
    }

    private let counts = Mutex(Counts())

    /// Attempts to open the device, failed ones too.
    var openings: Int { counts.withLock { $0.openings } }
    /// Devices that are open now.
    var open: Int { counts.withLock { $0.open } }

    /// The most devices that were ever open at a moment.
    var mostOpen: Int { counts.withLock { $0.mostOpen } }

    /// Devices that were opened in all.
    var opened: Int { counts.withLock { $0.opened } }

    func noteOpening() { counts.withLock { $0.openings += 1 } }
    func noteOpen() {
        counts.withLock { counts in
            counts.open += 1
            counts.opened += 1
            counts.mostOpen = max(counts.mostOpen, counts.open)
        }
    }
    func noteClose() { counts.withLock { $0.open -= 1 } }
}

/// A device that says when it is opened and closed.
final class WatchedDevice: CaptureDevice {
    private let device: any CaptureDevice
    private let log: DeviceLog
    let controls: any ControlDriver

    init(_ device: any CaptureDevice, _ log: DeviceLog, controls: (any ControlDriver)? = nil) {
        self.device = device
        self.log = log
        self.controls = controls ?? device.controls
        log.noteOpen()
    }

    deinit { log.noteClose() }

    var identity: CameraIdentity { device.identity }
    var descriptor: CInt { device.descriptor }
    func formats() throws(DeviceError) -> [FormatDescription] { try device.formats() }
    func currentFormat() throws(DeviceError) -> CaptureFormat { try device.currentFormat() }
    func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus? { try device.selectInput(wish) }
    func configure(_ format: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat {
        try device.configure(format, crop: crop)
    }
    func start() throws(DeviceError) -> Int { try device.start() }
    func dequeue() throws(DeviceError) -> Drain { try device.dequeue() }
    func events() throws(DeviceError) -> [DeviceEvent] { try device.events() }
    func reclaim() throws(DeviceError) { try device.reclaim() }
    var overwritesLentBuffers: Bool { device.overwritesLentBuffers }
    func exposureTime() -> Duration? { device.exposureTime() }
    func stop() { device.stop() }
}
