// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization
import TintypeDevice
import TintypeModel

/// The controls of a device whose driver is not like others.
struct OddControls: ControlDriver {
    /// What is odd about it.
    enum Oddity: Sendable {
        /// There is no privacy shutter.
        case noShutter
        /// It has this shutter, and tells nobody of its changes.
        case silentShutter(Shutter)
        /// A write waits for the gate; whether one does is said by the flag.
        case slow(Gate, Flag)
    }

    /// A shutter that a test moves.
    final class Shutter: Sendable {
        private let closed = Atomic(true)
        private let readings = Atomic(0)
        /// How often the driver was asked for it.
        var looks: Int { readings.load(ordering: .relaxed) }
        func open() { closed.store(false, ordering: .relaxed) }
        func read() -> Bool {
            readings.add(1, ordering: .relaxed)
            return closed.load(ordering: .relaxed)
        }
    }

    /// Whether something has happened.
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
        return all
    }

    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription {
        if case .noShutter = oddity, known.id == ControlNumber.privacy {
            throw ControlFailure(.queryControl, code: EINVAL)
        }
        return try driver.describe(known)
    }

    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        if case .silentShutter(let shutter) = oddity, control.id == ControlNumber.privacy {
            return .boolean(shutter.read())
        }
        return try driver.read(control)
    }

    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] {
        if case .slow(let gate, let flag) = oddity {
            flag.set()
            gate.wait()
        }
        return try driver.write(settings)
    }

    func watch(_ id: UInt32) -> Bool {
        if case .silentShutter = oddity, id == ControlNumber.privacy { return false }
        return driver.watch(id)
    }
}
