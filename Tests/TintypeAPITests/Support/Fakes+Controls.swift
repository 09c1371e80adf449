// SPDX-License-Identifier: Apache-2.0

@testable import TintypeModel

/// A camera with two controls and one profile. Controls with the prefix `bad` are refused.
extension FakeCameras {
    func controls(of camera: String) async throws(Problem) -> [ControlDescription] {
        _ = try await self.camera(camera)
        return [Samples.control, Samples.exposure]
    }

    func setControls(_ settings: ControlSettings, of camera: String) async throws(Problem) -> [ControlOutcome] {
        _ = try await self.camera(camera)
        return settings.values.sorted { $0.key < $1.key }.map { name, wish in
            name.hasPrefix("bad")
                ? ControlOutcome(name: name, asked: wish, result: .refused, detail: "It is bad.")
                : ControlOutcome(name: name, asked: wish, value: wish, result: .applied)
        }
    }

    func resetControls(of camera: String) async throws(Problem) -> [ControlOutcome] {
        _ = try await self.camera(camera)
        return [Samples.outcome]
    }

    func profiles(of camera: String) async throws(Problem) -> [ControlProfile] {
        _ = try await self.camera(camera)
        return [Samples.night]
    }

    func profile(_ profile: String, of camera: String) async throws(Problem) -> ControlProfile {
        guard let found = try await profiles(of: camera).first(where: { $0.name == profile }) else {
            throw Problem(.notFound, "There is no profile \(profile).", remedy: "Save one.")
        }
        return found
    }

    func saveProfile(
        _ profile: String,
        _ settings: ControlSettings?,
        of camera: String
    ) async throws(Problem) -> ControlProfile {
        _ = try await self.camera(camera)
        return ControlProfile(
            name: profile,
            source: .saved,
            controls: settings ?? ControlSettings(["now": .integer(1)])
        )
    }

    func removeProfile(_ profile: String, of camera: String) async throws(Problem) {
        _ = try await self.profile(profile, of: camera)
    }

    func applyProfile(_ profile: String, of camera: String) async throws(Problem) -> [ControlOutcome] {
        try await setControls(try await self.profile(profile, of: camera).controls, of: camera)
    }

    func differences(from profile: String, of camera: String) async throws(Problem) -> [ControlDifference] {
        _ = try await self.profile(profile, of: camera)
        return [ControlDifference(name: "gain", wanted: .integer(9), value: .integer(8), detail: "A note.")]
    }
}
