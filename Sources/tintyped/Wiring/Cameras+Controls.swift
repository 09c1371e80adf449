// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel

/// Controls and their profiles, as the API asks for them.
extension Cameras {
    func controls(of name: String) async throws(Problem) -> [ControlDescription] {
        try await find(name).session.controls()
    }

    func setControls(_ settings: ControlSettings, of name: String) async throws(Problem) -> [ControlOutcome] {
        try await find(name).session.setControls(settings)
    }

    func resetControls(of name: String) async throws(Problem) -> [ControlOutcome] {
        try await find(name).session.resetControls()
    }

    func profiles(of name: String) async throws(Problem) -> [ControlProfile] {
        try await profiles.all(of: try await find(name).name)
    }

    func profile(_ profile: String, of name: String) async throws(Problem) -> ControlProfile {
        try await profiles.profile(profile, of: try await find(name).name)
    }

    func saveProfile(
        _ profile: String,
        _ settings: ControlSettings?,
        of name: String
    ) async throws(Problem) -> ControlProfile {
        let camera = try await find(name)
        let wishes: ControlSettings
        if let settings { wishes = settings } else { wishes = ControlSettings(of: try await camera.session.controls()) }
        return try await profiles.save(wishes, as: profile, of: camera.name)
    }

    func removeProfile(_ profile: String, of name: String) async throws(Problem) {
        try await profiles.remove(profile, of: try await find(name).name)
    }

    func applyProfile(_ profile: String, of name: String) async throws(Problem) -> [ControlOutcome] {
        let camera = try await find(name)
        let chosen = try await profiles.profile(profile, of: camera.name)
        return try await camera.session.useControls(chosen.controls, named: chosen.name)
    }

    func differences(from profile: String, of name: String) async throws(Problem) -> [ControlDifference] {
        let camera = try await find(name)
        let chosen = try await profiles.profile(profile, of: camera.name)
        return chosen.controls.differences(from: try await camera.session.controls())
    }
}
