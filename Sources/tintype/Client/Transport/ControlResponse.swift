// SPDX-License-Identifier: Apache-2.0

/// The daemon's whole reply to one request.
package struct ControlResponse: Hashable, Sendable {
    /// The status (RFC 9110, 15).
    package var status: Int
    /// The header fields by their names in lower case; those given several times are joined by `, ` (RFC 9110, 5.3).
    package var headers: [String: String] = [:]
    /// The content, at most ``sizeLimit`` bytes.
    package var body: [UInt8] = []

    /// The most content that a reply may have, in bytes: 256 MiB, the most that a stored picture can have; a longer one
    /// is an error.
    package static let sizeLimit = 256 << 20

    /// The header field `name`, in any case; nil if the reply has none.
    package func header(_ name: String) -> String? { headers[name.lowercased()] }
}
