// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

// Each call throws ``Problem`` if the daemon replies with one, and ``ClientError`` if there is no valid reply.
extension ControlExchange {
    package func controls(of camera: String) async throws -> ControlList { try await read(Self.request("GET", camera)) }

    /// Throws `configuration-unsupported` if none could be set.
    package func setControls(_ settings: ControlSettings, of camera: String) async throws -> ControlOutcomeList {
        try await read(ControlRequest("PATCH", Self.path(camera) + "/controls", json: settings, deadline: Self.limit))
    }

    package func resetControls(of camera: String) async throws -> ControlOutcomeList {
        try await read(Self.request("POST", camera, "/reset"))
    }

    package func profiles(of camera: String) async throws -> ControlProfileList {
        try await read(Self.request("GET", camera, "/profiles"))
    }

    package func saveProfile(_ profile: String, of camera: String) async throws -> ControlProfile {
        try await read(Self.request("PUT", camera, Self.profilePath(profile)))
    }

    package func removeProfile(_ profile: String, of camera: String) async throws {
        _ = try await succeed(Self.request("DELETE", camera, Self.profilePath(profile)))
    }

    package func applyProfile(_ profile: String, of camera: String) async throws -> ControlOutcomeList {
        try await read(Self.request("POST", camera, Self.profilePath(profile) + "/apply"))
    }

    package func differences(from profile: String, of camera: String) async throws -> ControlDifferenceList {
        try await read(Self.request("GET", camera, Self.profilePath(profile) + "/diff"))
    }

    /// Exceeds the daemon's own limits: 10 s for a driver and 5 s for a disk.
    private static var limit: Duration { .seconds(17) }

    private static func profilePath(_ profile: String) -> String {
        "/profiles/\(ControlRequest.percentEncoded(profile))"
    }

    private static func request(_ method: String, _ camera: String, _ rest: String = "") -> ControlRequest {
        ControlRequest(method, path(camera) + "/controls\(rest)", deadline: limit)
    }
}
