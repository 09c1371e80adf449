// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Who may use a route.
enum RouteAccess: Hashable, Sendable {
    /// Everybody, also whom the daemon does not know.
    case everybody
    /// Clients with this role for the camera in the path or, where there is none, for all cameras.
    case role(Role)
    /// Clients with this role for at least one camera; the route shows or changes what is theirs alone.
    case part(Role)
    /// The same for stored frames, of which a client may see some without a role.
    case frames(Role)

    /// The role that it takes; nil for none.
    var role: Role? {
        switch self {
        case .everybody: nil
        case .role(let role), .part(let role), .frames(let role): role
        }
    }
}
