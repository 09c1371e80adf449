// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes

extension HTTPField.Name {
    /// Field name from a constant that must be a valid token (RFC 9110, 5.6.2).
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no token of RFC 9110, 5.6.2") }
        return name
    }
}
