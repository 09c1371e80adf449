// SPDX-License-Identifier: Apache-2.0

/// Why no reply of the daemon could be had: the trouble is on the way to it, not in it.
package struct ClientError: Error, Hashable, Sendable {
    /// The kind of failure.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// There is no socket (`ENOENT`).
        case missing
        /// The socket file is there and no program listens (`ECONNREFUSED`).
        case refused
        /// The user may not connect (`EACCES`, `EPERM`).
        case denied
        /// The connection failed in another way.
        case connection
        /// No whole reply came in time.
        case deadline
        /// The connection ended before the reply was whole.
        case closed
        /// The program that answers does not speak HTTP.
        case notHTTP = "not-http"
        /// The reply is larger than ``ControlResponse/sizeLimit``.
        case tooLarge = "too-large"
        /// The reply is HTTP, but not one that this client knows.
        case unexpected
    }

    /// The kind of failure.
    package var kind: Kind
    /// The failure, in one sentence with the socket's path in it.
    package var detail: String
    /// The remedy, in one sentence.
    package var remedy: String

    /// An error of these parts.
    package init(_ kind: Kind, _ detail: String, remedy: String) {
        self.kind = kind
        self.detail = detail
        self.remedy = remedy
    }
}

extension ClientError: CustomStringConvertible {
    /// The sentence and the remedy.
    package var description: String { "\(detail) \(remedy)" }
}
