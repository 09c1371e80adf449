// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var controlRoutes: [Route] {
        [
            Route(
                .get("/v1/cameras/{camera}/controls", "controls", .role(.still)),
                "The controls with their values; opens a camera that is closed, and closes it again",
                reply: "The controls.",
                failures: [.notFound, .conflict, .unsupported, .notInTime]
            ) { _, context in ControlList(controls: try await cameras.controls(of: try context.camera())) },
            Route(
                .patch("/v1/cameras/{camera}/controls", "setControls", .role(.control)),
                "Set controls in the order of their dependencies, and read them back",
                body: .required(
                    ControlSettings.self,
                    "At most 64 KiB. The values stay in force until a reset or until a profile is applied."
                ),
                reply: "The outcome of each requested value; configuration-unsupported if none could be set.",
                failures: [.notFound, .conflict, .unsupported, .notInTime]
            ) { request, context in
                let settings = try await request.decoded(ControlSettings.self, context.limits)
                guard let settings, !settings.isEmpty else {
                    throw Problem(
                        .invalidRequest,
                        "The body names no control.",
                        remedy: "Send a JSON object of controls and their values, such as {\"brightness\": 128}."
                    )
                }
                let outcomes = try await cameras.setControls(settings, of: try context.camera())
                if !outcomes.contains(where: \.isFulfilled) { throw Problem(unfulfilled: outcomes) }
                return ControlOutcomeList(outcomes: outcomes)
            },
            Route(
                .post("/v1/cameras/{camera}/controls/reset", "resetControls", .role(.control)),
                "Set every control to its default, then to the values of the configuration",
                reply: "The outcome for each control that was changed.",
                failures: [.notFound, .conflict, .unsupported, .notInTime]
            ) { _, context in
                ControlOutcomeList(outcomes: try await cameras.resetControls(of: try context.camera()))
            },
            Route(
                .get("/v1/cameras/{camera}/controls/profiles", "profiles", .role(.view)),
                "The profiles of the configuration and the saved profiles",
                reply: "The profiles.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { _, context in ControlProfileList(profiles: try await cameras.profiles(of: try context.camera())) },
            Route(
                .get("/v1/cameras/{camera}/controls/profiles/{profile}", "profile", .role(.view)),
                "One profile",
                reply: "The profile.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { _, context in try await cameras.profile(try context.profile(), of: try context.camera()) },
            Route(
                .put("/v1/cameras/{camera}/controls/profiles/{profile}", "saveProfile", .role(.control)),
                "Save a profile in place of a saved one with the same name; replies once it is on the disk",
                body: .optional(ControlSettings.self, "At most 64 KiB; empty to save the camera's current values."),
                reply: "The saved profile.",
                failures: [.notFound, .conflict, .precondition, .unsupported, .notInTime, .spoolFailed]
            ) { request, context in
                let settings = try await request.decoded(ControlSettings.self, context.limits)
                let camera = try context.camera()
                return try await cameras.saveProfile(try context.profile(), settings, of: camera)
            },
            Route(
                .delete("/v1/cameras/{camera}/controls/profiles/{profile}", "removeProfile", .role(.control)),
                "Remove a saved profile",
                replies: [.empty("The profile is removed.")],
                failures: [.notFound, .precondition, .notInTime, .spoolFailed]
            ) { _, context in
                try await cameras.removeProfile(try context.profile(), of: try context.camera())
                return Response(status: .noContent)
            },
            Route(
                .post("/v1/cameras/{camera}/controls/profiles/{profile}/apply", "applyProfile", .role(.control)),
                "Apply a profile in place of the configuration's values and of values set before",
                reply: "The outcome of each requested value.",
                failures: [.notFound, .conflict, .unsupported, .notInTime, .spoolFailed]
            ) { _, context in
                let outcomes = try await cameras.applyProfile(try context.profile(), of: try context.camera())
                return ControlOutcomeList(outcomes: outcomes)
            },
            Route(
                .get("/v1/cameras/{camera}/controls/profiles/{profile}/diff", "diffProfile", .role(.still)),
                "The differences between the camera and a profile",
                reply: "The differences.",
                failures: [.notFound, .conflict, .unsupported, .notInTime, .spoolFailed]
            ) { _, context in
                let profile = try context.profile()
                let differences = try await cameras.differences(from: profile, of: try context.camera())
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
