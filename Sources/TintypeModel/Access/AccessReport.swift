// SPDX-License-Identifier: Apache-2.0

/// Access of a client and the rules that grant it: reply to `GET /v1/access`.
package struct AccessReport: Equatable, Codable, WireObject {
    package enum Means: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        /// UID of the client process (`SO_PEERCRED`, unix(7)).
        case user
        case token
    }

    package var name: String
    package var via: Means
    package var role: Role?
    package var cameras: [CameraAccess]
    package var frames: [String]
    package var rules: [String]

    package init(name: String, via: Means, role: Role?, cameras: [CameraAccess], frames: [String], rules: [String]) {
        (self.name, self.via, self.role) = (name, via, role)
        (self.cameras, self.frames, self.rules) = (cameras, frames, rules)
    }

    package static let summary = "The access of a client, and the rules that grant it."
    package static let fields: [Field] = [
        Field("name", \.name, "The client, as in “uid 1000” or “token dashboard”."),
        Field("via", \.via, "How it is identified."),
        Field("role", \.role, "Its role for every camera and for the daemon as a whole; missing for none."),
        Field("cameras", \.cameras, "The cameras that it sees, with its role for each."),
        Field("frames", \.frames, "Filters: stored frames of other cameras that match one of these are visible."),
        Field("rules", \.rules, "The rules that grant its access, as text."),
    ]
}

package struct CameraAccess: Equatable, Codable, WireObject {
    package var camera: String
    package var role: Role
    package init(camera: String, role: Role) { (self.camera, self.role) = (camera, role) }
    package static let summary = "The role of a client for a camera."
    package static let fields: [Field] = [Field("camera", \.camera, "The camera."), Field("role", \.role, "The role.")]
}

/// Body of `POST /v1/login`.
package struct LoginRequest: Hashable, WireObject, WireRequest {
    package var token = ""
    package init() {}
    package static let summary = "The token of a person who uses the page."
    package static let fields: [Field] = [Field("token", \.token, "The token that “tintype token” printed.")]
}

/// Newly created token, of which the daemon stores only the digest: reply to `POST /v1/tokens`.
package struct NewToken: Equatable, Codable, WireObject {
    package var token: String
    package var sha256: String
    package init(token: String, sha256: String) { (self.token, self.sha256) = (token, sha256) }
    package static let summary = "A new token, which the daemon does not store, and its digest for the configuration."
    package static let fields: [Field] = [
        Field("token", \.token, "The token, for the client alone."),
        Field("sha256", \.sha256, "Its digest for the configuration (access, token)."),
    ]
}

/// One entry of `access` in the configuration.
package struct AccessRule: Hashable, Sendable, CustomStringConvertible {
    package enum Subject: Hashable, Sendable, CustomStringConvertible {
        /// Processes of a user, given by name or UID.
        case user(String)
        /// Processes whose user is a member of a group, given by name or GID.
        case group(String)
        /// Clients with a token, of which only the SHA-256 is stored: 64 lowercase hexadecimal digits.
        case token(sha256: String, name: String)

        package var description: String {
            switch self {
            case .user(let name): "user \(name)"
            case .group(let name): "group \(name)"
            case .token(_, let name): "token \(name)"
            }
        }
    }

    package enum Right: Hashable, Sendable {
        /// All permissions of a role on these cameras; nil: on all cameras and on the daemon itself.
        case role(Role, cameras: [String]?)
        case frames(FrameFilter)
        /// Claims pictures of jobs and reports their uploads, and nothing else.
        case work
    }

    package static func isToken(_ text: String) -> Bool {
        text.hasPrefix(tokenPrefix) && text.utf8.count == tokenPrefix.utf8.count + tokenLength
    }

    package let subject: Subject
    package let right: Right
    package init(_ subject: Subject, _ right: Right) { (self.subject, self.right) = (subject, right) }
    /// Prefix of every token, by which secret scanners recognize it.
    package static let tokenPrefix = "tt_"
    /// Number of characters after the prefix: base64url (RFC 4648, 5).
    package static let tokenLength = 43
    package static let digestPrefix = "sha256:"

    package var description: String {
        switch right {
        case .role(let role, nil): "\(subject): role \(role.rawValue)"
        case .role(let role, let cameras?):
            "\(subject): role \(role.rawValue), \(cameras.count == 1 ? "camera" : "cameras") \(cameras.joined(separator: ", "))"
        case .frames(let filter): "\(subject): stored frames with \(filter)"
        case .work: "\(subject): work"
        }
    }
}

/// Permission level of a client; each role includes all lower ones.
package enum Role: String, Hashable, Sendable, Codable, CaseIterable, Comparable, WireType {
    /// Reads status, stored frames, and pictures of cameras that are already running.
    case view
    /// Takes stills and watches live streams; both may open the camera.
    case still
    /// Changes controls, configurations and tags, starts and stops cameras.
    case control
    /// Deletes frames, reloads the configuration, reads hooks and the access of others.
    case admin
    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    package static var words: String { "view, still, control or admin" }
}
