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
