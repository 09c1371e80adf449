// SPDX-License-Identifier: Apache-2.0

/// Why no reply of the daemon could be had: the trouble is on the way to it, not in it.
package struct ClientError: Error, Hashable, Sendable {
    /// What went wrong, in kind.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// There is no socket (`ENOENT`).
        case missing
        /// The socket file is there and nobody listens (`ECONNREFUSED`).
        case refused
        /// The user may not connect (`EACCES`, `EPERM`).
        case denied
        /// The connection failed in another way.
        case connection
        /// No whole reply came in time.
        case deadline
        /// The connection ended before the reply was whole.
        case closed
        /// What answers does not speak HTTP.
        case notHTTP = "not-http"
        /// The reply is larger than ``ControlResponse/sizeLimit``.
        case tooLarge = "too-large"
        /// The reply is HTTP, but not one that this client knows.
        case unexpected
    }

    /// What went wrong, in kind.
    package var kind: Kind
    /// What happened, in one sentence with the socket's path in it.
    package var detail: String
    /// What the reader can do, in one sentence.
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
