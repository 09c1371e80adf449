// SPDX-License-Identifier: Apache-2.0

/// Permission of the daemon to open a camera's device node.
package struct CameraAuthorization: Hashable, Codable, WireObject {
    package enum Status: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case absent, authorized, denied, restricted
    }

    package private(set) var status: Status
    package private(set) var remedy: String?
    package private(set) var by: String?

    package static let absent = Self(status: .absent)
    package static let authorized = Self(status: .authorized)

    /// Owner, group or mode of the node deny access.
    package static func denied(remedy: String) -> Self { Self(status: .denied, remedy: remedy) }

    /// Something other than the node's mode denies access, such as the unit's device policy; named by `by`.
    package static func restricted(by: String) -> Self { Self(status: .restricted, by: by) }

    package static let summary = "Whether the daemon may use a camera."
    package static let fields: [Field] = [
        Field("status", \.status, "Whether access is authorized."),
        Field("remedy", \.remedy, "With denied: the remedy."),
        Field("by", \.by, "With restricted: the policy that refuses."),
    ]
}
