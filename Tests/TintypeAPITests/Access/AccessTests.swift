// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeAPI

struct AccessTests {
    private static let token = "tt_0123456789"
    private static let visitor = "tt_visitor"
    private static let login = "{\"token\": \"\(token)\"}"

    private static func token(_ text: String, _ name: String, _ role: Role, _ cameras: [String]? = nil) -> AccessRule {
        AccessRule(.token(sha256: SHA256.text(Array(text.utf8)), name: name), .role(role, cameras: cameras))
    }

    private static let rules: [AccessRule] = [
        AccessRule(.user("1001"), .role(.view, cameras: nil)),
        AccessRule(.user("1002"), .role(.still, cameras: ["pattern"])),
        AccessRule(.group("2000"), .role(.control, cameras: ["pattern"])),
        AccessRule(.user("1003"), .frames(.is(.tag("public")))),
        token(token, "operator", .admin),
        token(visitor, "visitor", .view, ["pattern"]),
    ]

    private static func ask(
        _ line: String,
        _ headers: [String: String] = [:],
        body: String? = nil,
        from peer: Peer,
        rules: [AccessRule]? = rules,
        frames: FakeFrames = FakeFrames(),
        cameras: FakeCameras = FakeCameras()
    ) async throws -> Reply {
        let policy = AccessPolicy(AccessRules(rules, hosts: ["camera.lan"]))
        let responder = ControlResponder(.fakes(cameras, frames, access: policy), logger: .quiet)
        return try await TintypeAPITests.ask(responder, line, headers, body, from: peer)
    }

    private static func process(_ user: UInt32, _ groups: Set<UInt32> = []) -> Peer {
        .process(7, user: user, groups: groups)
    }

    private static let network = Peer.address("192.0.2.1")

    // MARK: - Roles

    @Test func `without rules, only clients of the socket have access`() async throws {
        for line in ["GET /v1/cameras", "POST /v1/reload", "POST /v1/cameras/pattern/stop"] {
            let reply = try await Self.ask(line, from: Self.process(1001), rules: nil)
            #expect(reply.status < 300, "\(line): \(reply.text)")
        }
        #expect(try await Self.ask("GET /v1/cameras", from: Self.network, rules: nil).status == 401)
    }

    @Test func `each route refuses lower roles, naming the required one`() async throws {
        let responder = ControlResponder(.fakes(), logger: .quiet)
        var refused = 0
        for endpoint in responder.routes.map(\.endpoint) {
            guard let needed = endpoint.access.role else { continue }
            let path = endpoint.path.replacing("{camera}", with: "pattern").replacing("{id}", with: "\(Samples.id)")
                .replacing("{profile}", with: "day").replacing("{job}", with: FakeJobs.job.id)
            for role in Role.allCases where role < needed {
                let rules = [AccessRule(.user("1001"), .role(role, cameras: nil))]
                let reply = try await Self.ask("\(endpoint.method) \(path)", from: Self.process(1001), rules: rules)
                let problem = try reply.problem
                #expect(
                    reply.status == 403 && problem.code == .accessDenied,
                    "\(endpoint.path) as \(role): \(reply.status)"
                )
                #expect(problem.detail.contains("role \(needed.rawValue)"), "\(problem.detail)")
                refused += 1
            }
        }
        #expect(refused > 40)
    }

    @Test(
        arguments: [
            (1001, [], "idle", .view), (1001, [], "pattern", .view), (1002, [], "pattern", .still),
            (1002, [], "idle", nil),
            (1002, [2000], "pattern", .control), (9, [2000], "pattern", .control), (9, [2000], "idle", nil),
            (9, [], "pattern", nil),
            (0, [], "idle", .admin), (1001, [2000], "pattern", .control), (1003, [], "pattern", nil),
        ] as [(UInt32, Set<UInt32>, String, Role?)]
    )
    func `a client has the highest role that its rules grant`(
        user: UInt32,
        groups: Set<UInt32>,
        camera: String,
        role: Role?
    ) {
        let policy = AccessPolicy(AccessRules(Self.rules))
        #expect(policy.caller(user: user, groups: groups).role(for: camera) == role)
    }

    @Test func `a client sees only its own cameras`() async throws {
        let list = try await Self.ask("GET /v1/cameras", from: Self.process(1002)).text
        #expect(list.contains("\"pattern\"") && !list.contains("\"idle\"") && !list.contains("SPARE1"))
        for line in ["GET /v1/cameras/idle", "GET /v1/cameras/no-such", "POST /v1/cameras/idle/stills"] {
            let reply = try await Self.ask(line, from: Self.process(1002))
            let problem = try reply.problem
            #expect(problem.code == .cameraNotFound, "\(line)")
            #expect(!problem.remedy.contains("idle") && !problem.remedy.contains("pattern"))
        }
        let snapshot = try await Self.ask("GET /snapshot?camera=idle", from: Self.process(1002))
        #expect(try snapshot.status == 404 && snapshot.problem.detail.contains("“idle”"))
        // The detail omits the query, which contains a token.
        let other = try await Self.ask("GET /?action=stream_3&token=\(Self.visitor)", from: Self.network)
        #expect(try other.status == 404 && other.problem.detail.contains("“/”"))
        // Defaults to the only visible camera.
        #expect(try await Self.ask("GET /snapshot", from: Self.process(1002)).status == 200)
    }

    @Test(arguments: [
        "GET /v1/cameras", "GET /v1/cameras/pattern", "GET /v1/events", "GET /healthz", "GET /v1/frames",
        "GET /metrics",
    ])
    func `a client without a role is denied, for existing and missing cameras alike`(line: String) async throws {
        let reply = try await Self.ask(line, from: Self.process(9))
        #expect(try reply.status == 403 && reply.problem.code == .accessDenied)
        #expect(try !reply.problem.remedy.isEmpty)
        let other = try await Self.ask(line.replacing("pattern", with: "none"), from: Self.process(9))
        #expect(try other.problem.code == .accessDenied)
        let access = try await Self.ask("GET /v1/access", from: Self.process(9)).value(AccessReport.self)
        #expect(access == AccessReport(name: "uid 9", via: .user, role: nil, cameras: [], frames: [], rules: []))
    }

    @Test func `the refusal for a missing camera names no other camera`() async throws {
        let rules = [AccessRule(.user("1004"), .role(.still, cameras: ["pattern", "patern"]))]
        let missing = try await Self.ask("GET /v1/cameras/patern", from: Self.process(1004), rules: rules)
        #expect(try missing.problem.detail == "There is no camera “patern” that you have access to.")
    }

    @Test func `a client cannot release all holds or those of the daemon`() async throws {
        let rules = [AccessRule(.user("1004"), .role(.still, cameras: ["pattern", "patern"]))]
        let all = try await Self.ask("POST /v1/cameras/pattern/release", from: Self.process(1004), rules: rules)
        #expect(try all.problem.code == .accessDenied)
        for (owner, status) in [
            ("motion", 403), ("publish", 403), ("publish-2", 403), ("publisher", 200), ("publish-a", 200), ("me", 200),
        ] {
            let body = "{\"owner\": \"\(owner)\"}"
            let line = "POST /v1/cameras/pattern/release"
            let reply = try await Self.ask(line, body: body, from: Self.process(1004), rules: rules)
            #expect(reply.status == status, "\(owner)")
        }
    }

    @Test func `a rule on frames grants the list of frames and nothing else`() async throws {
        for line in ["GET /v1/cameras", "GET /healthz", "GET /v1/events", "GET /state", "PATCH /v1/frames"] {
            let reply = try await Self.ask(line, from: Self.process(1003))
            #expect(try reply.problem.code == .accessDenied, "\(line)")
        }
        for (frames, count) in [(FakeFrames(), 1), (FakeFrames(fits: { !"\($0)".contains("tag:public") }), 0)] {
            let page = try await Self.ask("GET /v1/frames", from: Self.process(1003), frames: frames)
            #expect(try page.status == 200 && page.value(FramePage.self).frames.count == count)
        }
    }

    @Test func `the view role cannot open a camera, store a frame or change the stream`() async throws {
        let cameras = FakeCameras(take: { (request, _) throws(Problem) in
            #expect(!request.opens && !request.keep && !request.isLargest)
            throw Problem(.cameraOff, "The camera is off.", remedy: "Wait.")
        })
        let viewer = Self.process(1001)
        for line in [
            "GET /v1/cameras/pattern/still.jpg", "GET /v1/cameras/pattern/still.jpg?open=true",
            "GET /snapshot?camera=pattern",
        ] {
            let reply = try await Self.ask(line, from: viewer, cameras: cameras)
            #expect(try reply.problem.code == .accessDenied, "\(line)")
            #expect(try reply.problem.detail.contains("off"))
        }
        for query in ["keep=true", "size=max"] {
            let reply = try await Self.ask("GET /v1/cameras/pattern/still.jpg?\(query)", from: viewer, cameras: cameras)
            #expect(try reply.problem.code == .accessDenied, "\(query)")
        }
        let opening = FakeCameras(take: { (request, _) throws(Problem) in
            #expect(request.opens)
            return Samples.still()
        })
        let still = try await Self.ask("GET /v1/cameras/pattern/still.jpg", from: Self.process(1002), cameras: opening)
        #expect(still.status == 200)
    }

    @Test func `the access report lists the client's roles and rules`() async throws {
        let own = try await Self.ask("GET /v1/access", from: Self.process(1002, [2000])).value(AccessReport.self)
        #expect(own.cameras == [CameraAccess(camera: "pattern", role: .control)])
        #expect(own.rules == ["user 1002: role still, camera pattern", "group 2000: role control, camera pattern"])
    }

    @Test func `only an admin gets the access report of another user`() async throws {
        let line = "GET /v1/access?uid=1003&gid=5,2000"
        let other = try await Self.ask(line, from: Self.process(0)).value(AccessReport.self)
        #expect(
            other.name == "uid 1003" && other.frames == ["tag:public"] && other.cameras.map(\.camera) == ["pattern"]
        )
        #expect(try await Self.ask(line, from: Self.process(1001)).problem.code == .accessDenied)
        for wrong in ["uid=-1", "uid=x", "gid=5", "uid=1&gid=x", "uid=1&uid=2", "user=a"] {
            let reply = try await Self.ask("GET /v1/access?\(wrong)", from: Self.process(0))
            #expect(reply.status == 400, "\(wrong)")
        }
    }

    @Test func `health and events cover only the client's cameras`() async throws {
        let rules = [AccessRule(.user("1004"), .role(.view, cameras: ["idle"]))]
        let all = try await Self.ask("GET /healthz", from: Self.process(0))
        #expect(all.text.contains("\"pattern\""))
        let own = try await Self.ask("GET /healthz", from: Self.process(1004), rules: rules)
        #expect(own.status < 300 && !own.text.contains("\"pattern\""))
        // Reasons of the daemon itself are hidden too.
        #expect(all.text.contains("spool") && !own.text.contains("spool"))
        let caller = AccessPolicy(AccessRules(rules)).caller(user: 1004, groups: [])
        #expect(caller.sees(Event(.cameraLost, camera: "idle", "It is gone.")))
        #expect(!caller.sees(Event(.cameraLost, camera: "pattern", "It is gone.")))
        // Events without a camera are hidden, except gaps.
        #expect(!caller.sees(Event(.spoolLow, "The spool is nearly full.")))
        #expect(caller.sees(Event(.gap, "Some are missing.")))
    }

    // MARK: - Tokens

    @Test(arguments: [
        ["Authorization": "Bearer \(token)"], ["Authorization": "bearer  \(token)"],
        ["Authorization": "Basic eDp0dF8wMTIzNDU2Nzg5"], ["Cookie": "a=b; tintype=\(token)"],
    ])
    func `a token is accepted as Bearer, Basic password or cookie`(fields: [String: String]) async throws {
        let reply = try await Self.ask("POST /v1/tokens", fields, from: Self.network)
        #expect(reply.status == 201, "\(reply.text)")
    }

    @Test(arguments: [
        [:], ["Authorization": "Bearer tt_012345678"], ["Authorization": "Bearer"], ["Authorization": "Basic ???"],
        ["Authorization": "Basic "], ["Cookie": "tintype=tt_"], ["Cookie": "tintype"], ["Cookie": "=;=;;"],
        ["Authorization": "Bearer \(SHA256.text(Array(token.utf8)))"],
    ])
    func `an invalid token gets 401 with a challenge`(fields: [String: String]) async throws {
        let reply = try await Self.ask("GET /v1/cameras", fields, from: Self.network)
        #expect(try reply.status == 401 && reply.problem.code == .unauthenticated)
        #expect(reply.headers["www-authenticate"]?.contains("Basic") == true)
        // A script gets Bearer: Basic would open the browser's login dialog.
        for (name, value) in ["Sec-Fetch-Mode": "cors", "X-Requested-With": "tintype"] {
            let fields = fields.merging([name: value]) { $1 }
            let script = try await Self.ask("GET /v1/cameras", fields, from: Self.network)
            #expect(script.headers["www-authenticate"] == #"Bearer realm="tintype""#)
        }
    }

    @Test func `a token in the query grants access to pictures only`() async throws {
        let picture = "GET /v1/cameras/pattern/still.jpg?quality=50&token=\(Self.token)"
        let cameras = FakeCameras(take: { (request, _) throws(Problem) in
            #expect(request.rendering.quality == 50)
            return Samples.still()
        })
        let reply = try await Self.ask(picture, from: Self.network, cameras: cameras)
        #expect(reply.status == 200 && reply.headers["referrer-policy"] == "no-referrer", "\(reply.text)")
        let elsewhere = try await Self.ask("GET /v1/cameras?token=\(Self.token)", from: Self.network)
        #expect(elsewhere.status == 401)
        #expect(try elsewhere.problem.remedy.contains("send Authorization: Bearer"))
        let denied = try await Self.ask("GET /v1/cameras/pattern/still.jpg?token=tt_wrong", from: Self.network)
        #expect(denied.status == 401 && !denied.text.contains("tt_wrong"))
        let unknown = try await Self.ask("GET /?action=command&token=\(Self.token)", from: Self.network)
        #expect(unknown.status == 404 && !unknown.text.contains(Self.token))
    }

    @Test func `a token takes precedence over the user of the process`() async throws {
        let fields = ["Authorization": "Bearer \(Self.visitor)"]
        #expect(try await Self.ask("POST /v1/reload", fields, from: Self.process(0)).status == 403)
        // Basic credentials meant for a proxy are ignored.
        let proxy = ["Authorization": "Basic dXNlcjpwYXNzd29yZA=="]
        #expect(try await Self.ask("GET /v1/cameras", proxy, from: Self.process(1001)).status == 200)
    }

    @Test func `login sets an HttpOnly, SameSite cookie that logout expires`() async throws {
        let reply = try await Self.ask("POST /v1/login", body: Self.login, from: Self.network)
        let cookie = try #require(reply.headers["set-cookie"])
        #expect(reply.status == 204 && cookie.hasPrefix("tintype=\(Self.token); "))
        #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict") && cookie.contains("; Path=/"))
        #expect(!cookie.contains("Secure"))
        let secure = ["Origin": "https://camera.lan", "Host": "camera.lan"]
        let byTLS = try await Self.ask("POST /v1/login", secure, body: Self.login, from: Self.network)
        #expect(byTLS.headers["set-cookie"]?.hasSuffix("; Secure") == true)
        let wrong = try await Self.ask("POST /v1/login", body: "{\"token\": \"tt_other\"}", from: Self.network)
        #expect(wrong.status == 401 && wrong.headers["set-cookie"] == nil)
        let end = try await Self.ask("POST /v1/logout", from: Self.network)
        #expect(end.status == 204 && end.headers["set-cookie"]?.contains("Max-Age=0") == true)
    }

    @Test func `each new token is distinct and comes with its SHA-256`() async throws {
        let tokens = try await [
            Self.ask("POST /v1/tokens", from: Self.process(0)).value(NewToken.self),
            Self.ask("POST /v1/tokens", from: Self.process(0)).value(NewToken.self),
        ]
        #expect(tokens[0].token != tokens[1].token)
        for new in tokens {
            #expect(new.token.wholeMatch(of: /tt_[A-Za-z0-9_-]{43}/) != nil)
            #expect(new.sha256 == "sha256:" + SHA256.text(Array(new.token.utf8)))
        }
    }

    // MARK: - Other origins

    @Test(arguments: [
        ("camera.lan", true), ("CAMERA.lan:8080", true), ("localhost", true), ("localhost:8080", true),
        ("127.0.0.1:8080", true), ("192.0.2.7", true), ("[::1]:8080", true), ("evil.example", false),
        ("evil.example:8080", false), ("camera.lan.evil.example", false), ("127.0.0.1.evil.example", false),
        ("[evil]", false), ("[", false),
    ])
    func `a request over TCP with a foreign Host is denied`(host: String, isAnswered: Bool) async throws {
        for fields in [["Cookie": "tintype=\(Self.token)"], [:]] {
            let reply = try await Self.ask("GET /v1/cameras", fields.merging(["Host": host]) { $1 }, from: Self.network)
            #expect((reply.status == 403) == !isAnswered, "\(reply.status)")
        }
        // The Host field is ignored on a Unix socket.
        let local = try await Self.ask("GET /v1/cameras", ["Host": host], from: Self.process(1001))
        #expect(local.status == 200)
    }

    @Test(
        arguments: [
            (["Origin": "http://camera.lan"], 200), (["Origin": "https://CAMERA.lan"], 200), (["Origin": "null"], 403),
            (["Origin": "http://evil.example"], 403), (["Origin": "http://camera.lan:81"], 403), (["Origin": ""], 403),
            (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
            (["Sec-Fetch-Site": "same-origin"], 200),
            (["Sec-Fetch-Site": "none"], 200),
            (["Referer": "http://camera.lan/"], 200), (["Referer": "http://evil.example/a/camera.lan"], 403),
            (["Referer": "http://evil.example/?a=://camera.lan"], 403), (["Referer": "http://camera.lan?a=b"], 200),
        ] as [([String: String], Int)]
    )
    func `cross-origin requests with ambient credentials are denied`(fields: [String: String], status: Int) async throws
    {
        let fields = fields.merging(["Host": "camera.lan"]) { $1 }
        for line in ["GET /v1/cameras", "GET /?action=snapshot_0", "POST /v1/cameras/pattern/stop"] {
            for (peer, sent) in [
                (Self.network, ["Cookie": "tintype=\(Self.token)"]), (Self.process(0), [:]),
                (Self.network, ["Authorization": "Basic eDp0dF8wMTIzNDU2Nzg5"]),
            ] {
                let reply = try await Self.ask(line, fields.merging(sent) { $1 }, from: peer)
                #expect(reply.status == status, "\(line) \(peer): \(reply.text)")
            }
        }
        let login = try await Self.ask("POST /v1/login", fields, body: Self.login, from: Self.network)
        #expect(login.status == (status == 200 ? 204 : 403))
        // A token in the URL is explicit consent to embed the picture.
        let embedded = "GET /v1/cameras/pattern/still.jpg?token=\(Self.token)"
        #expect(try await Self.ask(embedded, fields, from: Self.network).status == 200)
        #expect(try await Self.ask("GET /", fields, from: Self.network).status == 200)
    }

    @Test func `replies carry no CORS headers`() async throws {
        let fields = ["Cookie": "tintype=\(Self.token)", "Host": "camera.lan"]
        for line in ["GET /v1/cameras", "OPTIONS /v1/cameras", "GET /"] {
            let reply = try await Self.ask(line, fields, from: Self.network)
            #expect(!reply.headers.keys.contains { $0.hasPrefix("access-control-") })
        }
    }

    // MARK: - Changed rules

    @Test func `rules for tokens leave the access to the socket as it is`() throws {
        for rules in [nil, []] as [[AccessRule]?] {
            let policy = AccessPolicy(AccessRules(rules, tokens: [Self.token(Self.token, "me", .view)]))
            #expect(try policy.caller(Self.network, token: Self.token).role == .view)
            #expect(policy.caller(user: 1004, groups: []).role == (rules == nil ? .admin : nil))
        }
    }

    @Test func `changed rules revoke the access of a running stream`() async throws {
        let policy = AccessPolicy(AccessRules(Self.rules))
        let limits = BodyLimits(bytes: 0, time: .zero, clock: ControlServices.fakes().clock)
        let source = ControlContext.Source(
            logger: .quiet,
            peer: Self.network,
            access: policy,
            limits: limits,
            reply: ReplyAdmission(ReplyBudget(bytes: 0), of: ""),
            channel: nil
        )
        let isCurrent = ControlContext(source: source).isCurrent
        policy.replaceRules(with: AccessRules(Self.rules))
        #expect(isCurrent())
        policy.replaceRules(with: AccessRules([]))
        #expect(!isCurrent())
        #expect(throws: Problem.self) { try policy.caller(Self.network, token: Self.token) }
    }
}
