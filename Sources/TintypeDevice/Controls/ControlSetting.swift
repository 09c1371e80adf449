// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// A value to be set.
package struct ControlSetting: Hashable, Sendable {
    /// The control.
    package var control: ControlDescription
    /// The value, as ``ControlDescription/resolve(_:)`` gives it.
    package var value: ControlValue
}
