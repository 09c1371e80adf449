// SPDX-License-Identifier: Apache-2.0

package struct ControlResponse: Hashable, Sendable {
    /// Status code (RFC 9110, 15).
    package var status: Int
    /// Keyed by lower-case name; repeated fields are joined by `, ` (RFC 9110, 5.3).
    package var headers: [String: String] = [:]
    /// At most ``sizeLimit`` bytes.
    package var body: [UInt8] = []

    /// Maximum size of a reply body in bytes, which is also that of a stored picture; larger replies are an error.
    package static let sizeLimit = 256 << 20

    /// Value of a header field, ignoring case; nil if missing.
    package func header(_ name: String) -> String? { headers[name.lowercased()] }
}
