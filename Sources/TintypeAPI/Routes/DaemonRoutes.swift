// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var daemonRoutes: [Route] {
        [
            Route(
                .get("/healthz", "health", .part(.view)),
                "The health of the daemon, its cameras and its spools",
                "Opens no camera and waits for no disk.",
                replies: [.json(Health.self, "Everything works (ok), or something does not (degraded).")]
            ) { _, context in
                let caller = try context.caller
                let cameras = await cameras.cameras().filter { caller.role(for: $0.name) != nil }
                let health = health(of: cameras, withSpools: caller.role != nil)
                return try Response(json: health, status: .init(code: health.status.httpStatus))
            },
            Route(
                .post("/v1/reload", "reload", .role(.admin)),
                "Reload the configuration file, completely or not at all",
                """
                Cameras with an unchanged configuration keep streaming, with the changes made by command; the others are \
                closed, and reopen with the new one. An invalid configuration is configuration-unsupported with its file, \
                line and key, and so is one with another socket, state folder or spool folder, which needs a restart: the \
                old one stays in force.
                """,
                reply: "The new configuration is in force.",
                failures: [.unsupported, .notInTime]
            ) { _, _ in try await reload.reload() },
            Route(
                .get("/v1/hooks", "hooks", .role(.admin)),
                "The hooks of the configuration, and their results",
                reply: "The hooks."
            ) { _, _ in HookList(hooks: hooks.hooks()) },
        ]
    }
}
