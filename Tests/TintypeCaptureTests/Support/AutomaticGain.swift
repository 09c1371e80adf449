// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeModel

/// A gain with an automatic that another program switches, with the flags and events of the kernel's
/// `v4l2_ctrl_auto_cluster()`: while that is on, the gain is inactive and volatile, and no event tells its values.
final class AutomaticGain: Sendable {
    private struct State {
        var isAutomatic = true
        var value: Int64 = 64
    }

    let echo = OddControls.Echo()
    private let state = Mutex(State())

    /// The automatic is switched on or off, which tells of the flags alone.
    func switchAutomatic(to isOn: Bool) {
        state.withLock { $0.isAutomatic = isOn }
        echo.record(ControlNumber.gain, nil, isRedefined: true)
    }

    /// The gain is set.
    func set(_ value: Int64) {
        state.withLock { $0.value = value }
        echo.record(ControlNumber.gain, value)
    }

    /// Another value each time while the automatic is on.
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
