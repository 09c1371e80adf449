// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TestSupport
import TintypeDevice
import TintypeModel
import TintypeSystem

/// Controls of an unusual driver.
struct OddControls: ControlDriver {
    enum Oddity: Sendable {
        case noShutter
        /// A shutter without events.
        case silentShutter(Shutter)
        /// Writes wait for the gate and set the flag.
        case slow(Gate, Flag)
        /// Sends events to the program that sets a control, as drivers do for controls that change with it, with the
        /// value from before the change, as uvcvideo does.
        case echoing(Echo)
        /// A gain with an automatic mode that other programs switch.
        case automaticGain(AutomaticGain)
        /// Disconnected when the gain is read.
        case goneAtExposure
        /// The gain changes until it was read `until` times.
        case movingGain(Reading, until: Int)
        /// Reading the gain takes this long.
        case slowGain(Reading, Duration = .milliseconds(60))
        /// Describing controls is slow; counts reads of the gain.
        case slowNames(Reading)
        /// The gain is called zoom.
        case zooming
    }

    final class Reading: Sendable {
        private let readings = Atomic(0)
        var count: Int { readings.load(ordering: .relaxed) }
        func record() -> Int { readings.add(1, ordering: .relaxed).newValue }
    }

    final class Shutter: Sendable {
        private let isOpen = Flag()
        private let readings = Reading()
        /// Number of reads by the session.
        var looks: Int { readings.count }
        func open() { isOpen.set() }
        /// True while the shutter is closed.
        func read() -> Bool {
            _ = readings.record()
            return !isOpen.isSet
        }
    }

    /// Control events that a driver sends to the program that caused them.
    final class Echo: Sendable {
        private struct State {
            var watched: Set<UInt32> = []
            var waiting: [DeviceEvent] = []
            var told = 0
        }

        private let state = Mutex(State())
        /// Number of events delivered.
        var told: Int { state.withLock { $0.told } }
        var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }
        func isWatched(_ id: UInt32) -> Bool { state.withLock { $0.watched.contains(id) } }
        func watch(_ id: UInt32) { state.withLock { _ = $0.watched.insert(id) } }

        func record(_ id: UInt32, _ value: Int64?, isRedefined: Bool = false) {
            state.withLock { state in
                guard state.watched.contains(id) else { return }
                state.waiting.append(.controlChanged(id: id, value: value, isRedefined: isRedefined))
            }
        }

        func take() -> [DeviceEvent] {
            state.withLock { state in
                defer { state.waiting = [] }
                state.told += state.waiting.count
                return state.waiting
            }
        }
    }

    /// A thread-safe flag that can only be set.
    final class Flag: Sendable {
        private let state = Atomic(false)
        var isSet: Bool { state.load(ordering: .acquiring) }
        func set() { state.store(true, ordering: .releasing) }
    }

    private let driver: any ControlDriver
    private let oddity: Oddity

    init(_ driver: any ControlDriver, _ oddity: Oddity) {
        self.driver = driver
        self.oddity = oddity
    }

    var path: String { driver.path }

    func list() throws(DeviceError) -> [ControlDescription] {
        let all = try driver.list()
        if case .noShutter = oddity { return all.filter { $0.id != ControlNumber.privacy } }
        if case .automaticGain(let automatic) = oddity { return all.map(automatic.describe) }
        return all.map(renamed)
    }

    private func renamed(_ control: ControlDescription) -> ControlDescription {
        guard case .zooming = oddity, control.id == ControlNumber.gain else { return control }
        var control = control
        (control.name, control.title) = ("zoom_absolute", "Zoom, Absolute")
        return control
    }

    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription {
        if case .noShutter = oddity, known.id == ControlNumber.privacy {
            throw ControlFailure(.queryControl, code: EINVAL)
        }
        if case .slowNames = oddity { TestClock().block(for: .milliseconds(60)) }
        if case .automaticGain(let automatic) = oddity { return automatic.describe(try driver.describe(known)) }
        return renamed(try driver.describe(known))
    }

    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        if case .silentShutter(let shutter) = oddity, control.id == ControlNumber.privacy {
            return .boolean(shutter.read())
        }
        if control.id == ControlNumber.gain {
            switch oddity {
            case .goneAtExposure: throw ControlFailure(.readControl, code: ENODEV)
            case .movingGain(let reading, let last): return .integer(Int64(min(reading.record(), last)))
            case .slowGain(let reading, let time):
                _ = reading.record()
                TestClock().block(for: time)
            case .slowNames(let reading): _ = reading.record()
            case .automaticGain(let automatic): return .integer(automatic.read())
            case .noShutter, .silentShutter, .slow, .echoing, .zooming: break
            }
        }
        return try driver.read(control)
    }

    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] {
        if case .slow(let gate, let flag) = oddity {
            flag.set()
            gate.wait()
        }
        guard case .echoing(let echo) = oddity else { return try driver.write(settings) }
        for setting in settings {
            if case .integer(let old) = try driver.read(setting.control) { echo.record(setting.control.id, old) }
        }
        return try driver.write(settings)
    }

    /// Source of control events, or nil for an ordinary driver.
    var echo: Echo? {
        switch oddity {
        case .echoing(let echo): echo
        case .automaticGain(let automatic): automatic.echo
        default: nil
        }
    }

    func watch(_ id: UInt32) {
        if case .silentShutter = oddity, id == ControlNumber.privacy { return }
        echo?.watch(id)
        driver.watch(id)
    }
}
