// SPDX-License-Identifier: Apache-2.0

/// One line of `access` in the configuration: who may do what.
package struct AccessRule: Hashable, Sendable {
    /// Whom it is for.
    package enum Subject: Hashable, Sendable {
        /// The processes of a user, by name or number.
        case user(String)
        /// The processes of the members of a group, by name or number.
        case group(String)
        /// Clients that have a token, of which only the SHA-256 is known: 64 lower-case digits of 16.
        case token(sha256: String, name: String)
    }

    /// What they may.
    package enum Right: Hashable, Sendable {
        /// All that a role may, with these cameras; nil for all, and for the daemon as a whole.
        case role(Role, cameras: [String]?)
        /// See the stored frames that this fits, and nothing else.
        case frames(FrameFilter)
    }

    package let subject: Subject
    package let right: Right

    /// A rule that gives `subject` a right.
    package init(_ subject: Subject, _ right: Right) {
        self.subject = subject
        self.right = right
    }

    /// What a token begins with: programs that look for secrets know it by that.
    package static let tokenPrefix = "tt_"
    /// What the SHA-256 of a token begins with in the configuration.
    package static let digestPrefix = "sha256:"
}

extension AccessRule: CustomStringConvertible {
    /// The rule in words, as in `group video: role still, cameras front, yard`.
    package var description: String {
        switch right {
        case .role(let role, nil): "\(subject): role \(role.rawValue)"
        case .role(let role, let cameras?):
            "\(subject): role \(role.rawValue), \(cameras.count == 1 ? "camera" : "cameras") \(cameras.joined(separator: ", "))"
        case .frames(let filter): "\(subject): stored frames with \(filter)"
        }
    }
}

extension AccessRule.Subject: CustomStringConvertible {
    package var description: String {
        switch self {
        case .user(let name): "user \(name)"
        case .group(let name): "group \(name)"
        case .token(_, let name): "token \(name)"
        }
    }
}
