// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// The controls of a camera, and their profiles.
struct ControlRoutes: Sendable {
    let cameras: any CameraService
    let limits: ServerLimits

    func add(to router: Router<ControlContext>) {
        let path = "/v1/cameras/{camera}/controls"
        router.get("\(path)") { _, context in
            try Response(json: ControlList(controls: try await cameras.controls(of: try context.camera())))
        }
        router.patch("\(path)") { request, context in
            let settings = try await request.decoded(ControlSettings.self, limits)
            guard let settings, !settings.isEmpty else {
                throw Problem(
                    .invalidRequest,
                    "The body names no control.",
                    remedy: "Send a JSON object of controls and their values, such as {\"brightness\": 128}."
                )
            }
            let outcomes = try await cameras.setControls(settings, of: try context.camera())
            if !outcomes.contains(where: \.isFulfilled) { throw Problem(unfulfilled: outcomes) }
            return try Response(json: ControlOutcomeList(outcomes: outcomes))
        }
        router.post("\(path)/reset") { _, context in
            let outcomes = try await cameras.resetControls(of: try context.camera())
            return try Response(json: ControlOutcomeList(outcomes: outcomes))
        }
        addProfiles(to: router, at: "\(path)/profiles")
    }

    private func addProfiles(to router: Router<ControlContext>, at path: String) {
        router.get("\(path)") { _, context in
            let profiles = try await cameras.profiles(of: try context.camera())
            return try Response(json: ControlProfileList(profiles: profiles))
        }
        router.get("\(path)/{profile}") { _, context in
            try Response(json: try await cameras.profile(try context.profile(), of: try context.camera()))
        }
        router.put("\(path)/{profile}") { request, context in
            let settings = try await request.decoded(ControlSettings.self, limits)
            let camera = try context.camera()
            return try Response(json: try await cameras.saveProfile(try context.profile(), settings, of: camera))
        }
        router.delete("\(path)/{profile}") { _, context in
            try await cameras.removeProfile(try context.profile(), of: try context.camera())
            return Response(status: .noContent)
        }
        router.post("\(path)/{profile}/apply") { _, context in
            let outcomes = try await cameras.applyProfile(try context.profile(), of: try context.camera())
            return try Response(json: ControlOutcomeList(outcomes: outcomes))
        }
        router.get("\(path)/{profile}/diff") { _, context in
            let profile = try context.profile()
            let differences = try await cameras.differences(from: profile, of: try context.camera())
            return try Response(json: ControlDifferenceList(profile: profile, differences: differences))
        }
    }
}

extension ControlContext {
    fileprivate func profile() throws -> String { try parameters.require("profile") }
}

extension Problem {
    /// None of the wishes was fulfilled.
    fileprivate init(unfulfilled outcomes: [ControlOutcome]) {
        let reasons = outcomes.map { "\($0.name): \($0.detail ?? $0.result.rawValue)" }
        self.init(
            .configurationUnsupported,
            reasons.joined(separator: " "),
            remedy: "“tintype controls” lists the camera's controls and the values that they take."
        )
        field = outcomes.count == 1 ? outcomes.first?.name : nil
    }
}
