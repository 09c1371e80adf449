// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import TintypeModel

@testable import TintypeDevice

/// A hang of a device: the first call named in `place`, made during the step of the test named there, blocks until
/// the gate opens.
final class Hang: Sendable {
    /// A call and the step of the test during which it is made.
    struct Place: Hashable, Sendable, CustomStringConvertible {
        let step: String
        let call: String

        init(_ step: String, _ call: String) {
            self.step = step
            self.call = call
        }

        var description: String { "\(step): \(call)" }
    }

    private struct State {
        var step = ""
        var seen: [Place] = []
        var isReached = false
        var written: [ControlValue] = []
    }

    let gate = Gate()
    private let place: Place?
    private let state = Mutex(State())

    /// Creates a hang at `place`, or none if nil.
    init(at place: Place?) { self.place = place }

    /// Calls made so far in order, each once per step.
    var seen: [Place] { state.withLock { $0.seen } }
    /// True once the device hangs or has hung.
    var isReached: Bool { state.withLock { $0.isReached } }

    /// Control values written so far.
    var written: [ControlValue] { state.withLock { $0.written } }

    func record(_ settings: [ControlSetting]) { state.withLock { $0.written += settings.map(\.value) } }

    func begin(_ step: String) { state.withLock { $0.step = step } }

    /// Records a call, and blocks it at the place of the hang.
    func pass(_ call: String, _ calls: DriverCalls) {
        let hangs = state.withLock { state in
            let here = Place(state.step, call)
            if !state.seen.contains(here) { state.seen.append(here) }
            guard here == place, !state.isReached else { return false }
            state.isReached = true
            return true
        }
        if hangs { calls.during(call == "open" ? .open : .queryCapability) { _ = gate.wait() } }
    }
}

/// Controls of a device whose calls may hang.
struct HangingControls: ControlDriver {
    let driver: any ControlDriver
    let hang: Hang
    let calls: DriverCalls

    var path: String { driver.path }

    private func pass(_ call: String = #function) { hang.pass(call, calls) }

    func list() throws(DeviceError) -> [ControlDescription] {
        pass()
        return try driver.list()
    }
    func describe(_ known: ControlDescription) throws(ControlFailure) -> ControlDescription {
        pass()
        return try driver.describe(known)
    }
    func read(_ control: ControlDescription) throws(ControlFailure) -> ControlValue {
        pass()
        return try driver.read(control)
    }
    func write(_ settings: [ControlSetting]) throws(ControlFailure) -> [ControlValue] {
        pass()
        hang.record(settings)
        return try driver.write(settings)
    }
    func watch(_ id: UInt32) {
        pass()
        driver.watch(id)
    }
}
