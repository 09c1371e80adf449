// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TintypeDevice
import TintypeModel

/// Counts the devices of one session.
final class DeviceLog: Sendable {
    private struct Counts {
        var openings = 0
        var open = 0
        var opened = 0
        var mostOpen = 0
        var brightnessAtStart: [ControlValue?] = []
        var takesBuffers = true
    }

    private let counts = Mutex(Counts())

    var openings: Int { counts.withLock { $0.openings } }
    var open: Int { counts.withLock { $0.open } }

    /// Largest number of devices open at once.
    var mostOpen: Int { counts.withLock { $0.mostOpen } }

    var opened: Int { counts.withLock { $0.opened } }

    /// Brightness at each stream start, read before VIDIOC_STREAMON.
    var brightnessAtStart: [ControlValue?] { counts.withLock { $0.brightnessAtStart } }

    /// False if the driver rejects returned buffers, as after a disconnect.
    var takesBuffers: Bool {
        get { counts.withLock { $0.takesBuffers } }
        set { counts.withLock { $0.takesBuffers = newValue } }
    }

    func recordStart(_ brightness: ControlValue?) { counts.withLock { $0.brightnessAtStart.append(brightness) } }
    func recordOpening() { counts.withLock { $0.openings += 1 } }
    func recordOpen() {
        counts.withLock { counts in
            counts.open += 1
            counts.opened += 1
            counts.mostOpen = max(counts.mostOpen, counts.open)
        }
    }
    func recordClose() { counts.withLock { $0.open -= 1 } }
}

/// A device that logs opening and closing and whose calls may hang.
final class WatchedDevice: CaptureDevice {
    private let device: any CaptureDevice
    private let log: DeviceLog
    let controls: any ControlDriver
    private let echo: OddControls.Echo?
    /// Source of events while the device does not stream.
    private let line: SourceLine?
    private var hasStarted = false
    /// Passes a call to the hang, if any.
    private let pass: (String) -> Void

    init(
        _ device: any CaptureDevice,
        _ log: DeviceLog,
        controls: OddControls? = nil,
        hang: Hang? = nil,
        line: SourceLine? = nil,
        calls: DriverCalls
    ) {
        self.device = device
        self.log = log
        let driver: any ControlDriver = controls ?? device.controls
        self.controls = hang.map { HangingControls(driver: driver, hang: $0, calls: calls) } ?? driver
        pass = { hang?.pass($0, calls) }
        echo = controls?.echo
        self.line = line
        log.recordOpen()
    }

    deinit { log.recordClose() }

    var identity: CameraIdentity { device.identity }
    var descriptor: CInt { hasStarted ? device.descriptor : line?.descriptor ?? device.descriptor }
    var tellsSourceChanges: Bool { line != nil }
    var clock: FrameClock {
        get { device.clock }
        set { device.clock = newValue }
    }
    func formats() throws(DeviceError) -> [FormatDescription] {
        pass(#function)
        return try device.formats()
    }
    func description(of size: FrameSize, in format: FourCC) -> FrameSizeDescription? {
        pass(#function)
        return device.description(of: size, in: format)
    }
    func currentFormat() throws(DeviceError) -> CaptureFormat {
        pass(#function)
        return try device.currentFormat()
    }
    func selectInput(_ wish: InputWish) throws(DeviceError) -> InputStatus? {
        pass(#function)
        return try device.selectInput(wish)
    }
    func configure(_ format: CaptureFormat, crop: CropRectangle?) throws(DeviceError) -> GrantedFormat {
        pass(#function)
        return try device.configure(format, crop: crop)
    }
    func start() throws(DeviceError) -> Int {
        pass(#function)
        let brightness = try controls.list().first { $0.id == ControlNumber.brightness }
        log.recordStart(
            try brightness.flatMap { (control) throws(DeviceError) in
                try DeviceControls(of: self).value(of: control)
            }
        )
        hasStarted = true
        return try device.start()
    }
    func dequeue() throws(DeviceError) -> Drain {
        pass(#function)
        var drain = try device.dequeue()
        if let echo, !echo.isEmpty { drain.hasEvents = true }
        return drain
    }
    func events() throws(DeviceError) -> [DeviceEvent] {
        pass(#function)
        return try device.events() + (echo?.take() ?? []) + (line?.take() ?? [])
    }
    func reclaim() throws(DeviceError) {
        pass(#function)
        guard log.takesBuffers else { throw DeviceError(operation: "VIDIOC_QBUF", path: "pattern", errno: ENODEV) }
        try device.reclaim()
    }
    var overwritesLentBuffers: Bool { device.overwritesLentBuffers }
    func mayHaveOverwritten(_ lease: borrowing FrameLease) -> Bool {
        pass(#function)
        return device.mayHaveOverwritten(lease)
    }
    func makeConverter(for granted: GrantedFormat) throws(DeviceError) -> sending PixelConverter? {
        pass(#function)
        return try device.makeConverter(for: granted)
    }
    func exposureTime() -> Duration? {
        pass(#function)
        return device.exposureTime()
    }
    func stop() {
        pass(#function)
        device.stop()
    }
}
