// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel
internal import TintypeSystem

extension ControlServices {
    private static let user = RouteParameter(
        .query,
        "uid",
        "The uid of the user whose access is shown; takes the role admin.",
        Int.schema.adding(.range(0...Int(UInt32.max)))
    )
    private static let groups = RouteParameter(
        .query,
        "gid",
        "The gids of that user, comma-separated.",
        String.schema.adding(["pattern": "^[0-9]+(,[0-9]+)*$"])
    )

    var accessRoutes: [Route] {
        [
            .get("/v1/access", "access", .everybody)
                .about("The access of the client or of another user, with the rules that grant it")
                .parameters([Self.user, Self.groups])
                .reply("The access.") { request, context in
                    let caller = try Self.caller(request, context)
                    let cameras = await cameras.cameras().compactMap { camera in
                        caller.role(for: camera.name).map { CameraAccess(camera: camera.name, role: $0) }
                    }
                    return AccessReport(
                        name: caller.name,
                        via: caller.via,
                        role: caller.role,
                        cameras: cameras,
                        frames: caller.frameFilters.map(\.description),
                        rules: caller.reasons
                    )
                },
            .post("/v1/tokens", "makeToken", .role(.admin))
                .about("Make a token, which is not stored; it needs a rule in the configuration")
                .reply("The token.", status: .created) { _, _ in
                    let token = Self.newToken()
                    let digest = AccessRule.digestPrefix + SHA256.text(Array(token.utf8))
                    return NewToken(token: token, sha256: digest)
                },
            .post("/v1/login", "login", .everybody)
                .about("Store a token in a cookie of the browser, for the page")
                .body(.required(LoginRequest.self, "The token."))
                .replies([.empty("The cookie is set.", headers: [("Set-Cookie", "The cookie, hidden from scripts.")])])
            { request, context in
                let wanted: LoginRequest = try await request.required(context.limits)
                _ = try context.access.caller(context.peer, token: wanted.token)
                return Self.cookie(wanted.token, of: request)
            },
            .post("/v1/logout", "logout", .everybody)
                .about("Delete that cookie")
                .replies([.empty("The cookie is gone.", headers: [("Set-Cookie", "Its end.")])]) { request, _ in
                    Self.cookie(nil, of: request)
                },
        ]
    }

    private static func cookie(_ token: String?, of request: Request) -> Response {
        let cookie = TokenField.cookie(token, of: request)
        return Response(status: .noContent, headers: [.setCookie: cookie, .cacheControl: "no-store"])
    }

    /// 258 bits from getrandom(2), encoded as base64url (RFC 4648, 5).
    package static func newToken() -> String {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        // 6 bits each.
        let letters = (0..<AccessRule.tokenLength).map { _ in alphabet[Int(random.next() & 63)] }
        return AccessRule.tokenPrefix + String(letters)
    }

    private static func caller(_ request: Request, _ context: ControlContext) throws(Problem) -> Caller {
        let caller = try context.caller
        let parameters = try request.parameters(of: ["uid", "gid"])
        guard !parameters.isEmpty else { return caller }
        try caller.require(.admin, for: nil)
        let users = parameters.filter { $0.name == "uid" }.map { UInt32($0.value) }
        guard users.count == 1, let user = users[0] else {
            throw .invalid(field: "uid", "is not the number of a user.", remedy: "Give one, as in uid=1000.")
        }
        let groups = parameters.filter { $0.name == "gid" }.flatMap { $0.value.split(separator: ",") }.map {
            UInt32($0)
        }
        guard !groups.contains(nil) else {
            throw .invalid(field: "gid", "is no list of groups.", remedy: "Give their numbers, as in gid=27,44.")
        }
        return context.access.caller(user: user, groups: Set(groups.compactMap(\.self)))
    }
}
