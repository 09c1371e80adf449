// SPDX-License-Identifier: Apache-2.0

/// Permission of the daemon to open a camera's device node.
package enum CameraAuthorization: Hashable, Codable, WireObject {
    case absent
    case authorized
    /// Owner, group or mode of the node deny access.
    case denied(remedy: String)
    /// Something other than the node's mode denies access, such as the unit's device policy; named by `by`.
    case restricted(by: String)

    package enum Status: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case absent, authorized, denied, restricted
    }

    package var status: Status {
        switch self {
        case .absent: .absent
        case .authorized: .authorized
        case .denied: .denied
        case .restricted: .restricted
        }
    }

    package static let summary = "Whether the daemon may use a camera."
    package static let fields: [Field] = [
        Field("status", of: CameraAuthorization.Status.schema, "Whether access is authorized.", isRequired: true),
        Field("remedy", of: String.schema, "With denied: the remedy."),
        Field("by", of: String.schema, "With restricted: the policy that refuses."),
    ]

    private enum CodingKeys: String, CodingKey {
        case status, remedy, by
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try container.decode(Status.self, forKey: .status) {
            case .absent: .absent
            case .authorized: .authorized
            case .denied: .denied(remedy: try container.decode(String.self, forKey: .remedy))
            case .restricted: .restricted(by: try container.decode(String.self, forKey: .by))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status, forKey: .status)
        switch self {
        case .denied(let remedy): try container.encode(remedy, forKey: .remedy)
        case .restricted(let by): try container.encode(by, forKey: .by)
        case .absent, .authorized: break
        }
    }
}
