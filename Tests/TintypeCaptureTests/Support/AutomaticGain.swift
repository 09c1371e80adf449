// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeModel

/// A gain control with an automatic mode switched by another program, like the kernel's `v4l2_ctrl_auto_cluster()`:
/// in automatic mode the gain is inactive and volatile and sends no value events.
final class AutomaticGain: Sendable {
    private struct State {
        var isAutomatic = true
        var value: Int64 = 64
    }

    let echo = OddControls.Echo()
    private let state = Mutex(State())

    /// Switches the automatic mode, which sends an event for the flags only.
    func switchAutomatic(to isOn: Bool) {
        state.withLock { $0.isAutomatic = isOn }
        echo.record(ControlNumber.gain, nil, isRedefined: true)
    }

    func set(_ value: Int64) {
        state.withLock { $0.value = value }
        echo.record(ControlNumber.gain, value)
    }

    /// Returns a new value on each read in automatic mode.
    func read() -> Int64 {
        state.withLock { state in
            if state.isAutomatic { state.value = state.value % 100 + 1 }
            return state.value
        }
    }

    func describe(_ control: ControlDescription) -> ControlDescription {
        guard control.id == ControlNumber.gain, state.withLock({ $0.isAutomatic }) else { return control }
        var control = control
        control.flags += [.inactive, .volatile]
        return control
    }
}
