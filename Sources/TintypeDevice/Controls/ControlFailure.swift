// SPDX-License-Identifier: Apache-2.0

/// A driver's refusal of a call about a control.
package struct ControlFailure: Error, Hashable, Sendable {
    /// The call.
    package var call: DriverCalls.Call
    /// What errno(3) said.
    package var code: CInt

    /// The refusal of `call` with `code`.
    package init(_ call: DriverCalls.Call, code: CInt) {
        self.call = call
        self.code = code
    }
}
