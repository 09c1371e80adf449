// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    private static let profile = "/v1/cameras/{camera}/controls/profiles/{profile}"

    var controlRoutes: [Route] {
        [
            .get("/v1/cameras/{camera}/controls", "controls", .role(.still), .driver)
                .about("The controls with their values; opens a camera that is closed, and closes it again")
                .reply("The controls.") { _, context in
                    ControlList(controls: try await cameras.controls(of: context.camera()))
                },
            .patch("/v1/cameras/{camera}/controls", "setControls", .role(.control), .driver)
                .about("Set controls in the order of their dependencies, and read them back")
                .body(
                    .required(
                        ControlSettings.self,
                        "At most 64 KiB. The values stay in force until a reset or until a profile is applied."
                    )
                )
                .reply("The outcome of each value; configuration-unsupported if all failed.") { request, context in
                    let settings: ControlSettings = try await request.decoded(context.limits)
                    guard !settings.isEmpty else {
                        let remedy = "Send a JSON object of controls and their values, such as {\"brightness\": 128}."
                        throw Problem(.invalidRequest, "The body names no control.", remedy: remedy)
                    }
                    let outcomes = try await cameras.setControls(settings, of: context.camera())
                    if !outcomes.contains(where: \.isFulfilled) { throw Problem(unfulfilled: outcomes) }
                    return ControlOutcomeList(outcomes: outcomes)
                },
            .post("/v1/cameras/{camera}/controls/reset", "resetControls", .role(.control), .driver)
                .about("Set every control to its default, then to the values of the configuration")
                .reply("The outcome for each control that was changed.") { _, context in
                    ControlOutcomeList(outcomes: try await cameras.resetControls(of: context.camera()))
                },
            .get("/v1/cameras/{camera}/controls/profiles", "profiles", .role(.view), .spool)
                .about("The profiles of the configuration and the saved profiles")
                .reply("The profiles.") { _, context in
                    ControlProfileList(profiles: try await cameras.profiles(of: context.camera()))
                },
            .get(Self.profile, "profile", .role(.view), .spool)
                .about("One profile")
                .reply("The profile.") { _, context in
                    try await cameras.profile(context.profile(), of: context.camera())
                },
            .put(Self.profile, "saveProfile", .role(.control), .stored + [.precondition])
                .about("Save a profile in place of a saved one with the same name; replies once it is on the disk")
                .body(.optional(ControlSettings.self, "At most 64 KiB; empty to save the camera's current values."))
                .reply("The saved profile.") { request, context in
                    let json = try await request.smallBody(context.limits).readableBytesView
                    let settings = json.isEmpty ? nil : try WireFormat.decode(ControlSettings.self, from: json)
                    return try await cameras.saveProfile(context.profile(), settings, of: context.camera())
                },
            .delete(Self.profile, "removeProfile", .role(.control), .spool + [.precondition])
                .about("Remove a saved profile")
                .replies([.empty("The profile is removed.")]) { _, context in
                    try await cameras.removeProfile(context.profile(), of: context.camera())
                    return Response(status: .noContent)
                },
            .post(Self.profile + "/apply", "applyProfile", .role(.control), .stored)
                .about("Apply a profile in place of the configuration's values and of values set before")
                .reply("The outcome of each requested value.") { _, context in
                    ControlOutcomeList(
                        outcomes: try await cameras.applyProfile(context.profile(), of: context.camera())
                    )
                },
            .get(Self.profile + "/diff", "diffProfile", .role(.still), .stored)
                .about("The differences between the camera and a profile")
                .reply("The differences.") { _, context in
                    let profile = try context.profile()
                    let differences = try await cameras.differences(from: profile, of: context.camera())
                    return ControlDifferenceList(profile: profile, differences: differences)
                },
        ]
    }
}

extension Problem {
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
