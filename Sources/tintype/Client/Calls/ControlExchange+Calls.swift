// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
package import TintypeModel

// Each call throws ``Problem`` where the daemon answers with one, and ``ClientError`` where no reply can be had.
extension ControlExchange {
    /// The daemon's health and version (`GET /healthz`), also where that says that nothing works.
    package func health() async throws -> Health {
        try await read(ControlRequest("GET", "/healthz"), accepting: Health.Level.failing.httpStatus)
    }

    /// Has the daemon read its configuration again (`POST /v1/reload`), and returns what became of its cameras.
    package func reload() async throws -> ReloadReport {
        try await read(ControlRequest("POST", "/v1/reload", deadline: Self.opening))
    }

    /// What this process may do (`GET /v1/access`), or a user of this number in these groups.
    package func access(of account: Accounts.Account?) async throws -> AccessReport {
        var query = account.map { [("uid", "\($0.user)")] } ?? []
        if let groups = account?.groups, !groups.isEmpty {
            query.append(("gid", groups.map(String.init).joined(separator: ",")))
        }
        return try await read(ControlRequest("GET", "/v1/access", query: query))
    }

    /// A new token (`POST /v1/tokens`), which the daemon does not keep.
    package func makeToken() async throws -> NewToken { try await read(ControlRequest("POST", "/v1/tokens")) }

    /// Every configured or discovered camera (`GET /v1/cameras`).
    package func cameras() async throws -> CameraList { try await read(ControlRequest("GET", "/v1/cameras")) }

    /// One camera (`GET /v1/cameras/{camera}`).
    package func camera(_ name: String) async throws -> CameraStatus {
        try await read(ControlRequest("GET", Self.path(name)))
    }

    /// The formats that a camera offers (`GET /v1/cameras/{camera}/formats`).
    package func formats(of camera: String) async throws -> FormatList {
        try await read(ControlRequest("GET", Self.path(camera) + "/formats", deadline: Self.opening))
    }

    /// How a camera is configured (`GET /v1/cameras/{camera}/configuration`).
    package func configuration(of camera: String) async throws -> ConfigurationReport {
        try await read(ControlRequest("GET", Self.path(camera) + "/configuration"))
    }

    /// Changes the configuration of a camera (`PUT /v1/cameras/{camera}/configuration`), whole or not at all.
    ///
    /// Returns the new configuration, and what was granted of it. `revision` is the one that the change is based on, nil
    /// for any.
    package func configure(
        _ settings: CameraSettings,
        of camera: String,
        ifRevision revision: Int?
    ) async throws -> ConfigurationReport {
        let headers = revision.map { ["If-Match": "\"\($0)\""] } ?? [:]
        return try await read(
            ControlRequest(
                "PUT",
                Self.path(camera) + "/configuration",
                json: settings,
                headers: headers,
                deadline: Self.opening
            )
        )
    }

    /// Takes stills (`POST /v1/cameras/{camera}/stills`) and returns once they are as durable as asked.
    package func stills(_ request: StillRequest, of camera: String) async throws -> StillList {
        try await read(try Self.request(request, of: camera))
    }

    static func request(
        _ stills: StillRequest,
        of camera: String,
        accept: String = "application/json"
    ) throws -> ControlRequest {
        try ControlRequest(
            "POST",
            path(camera) + "/stills",
            json: stills,
            headers: ["Accept": accept],
            deadline: stills.longestDuration + margin
        )
    }

    /// Takes one still, as ``stills(_:of:)`` does.
    package func still(_ request: StillRequest, of camera: String) async throws -> StillRecord {
        let list = try await stills(request, of: camera)
        guard list.stills.count == 1, let still = list.stills.first else {
            throw ClientError.unexpected("The daemon answered a request for one still with \(list.stills.count).")
        }
        return still
    }

    /// Takes one picture and brings it (`GET /v1/cameras/{camera}/still.jpg`); it is stored only if asked for.
    ///
    /// A burst in `request` is not asked for.
    package func picture(of camera: String, _ request: StillRequest) async throws -> Still {
        let response = try await succeed(
            ControlRequest(
                "GET",
                Self.path(camera) + "/still.jpg",
                query: try request.query,
                deadline: request.deadline + Self.margin
            )
        )
        guard let record = StillRecord(bytes: response.body.count, header: { response.header($0) }) else {
            throw ClientError.unexpected(
                "The reply to GET \(Self.path(camera))/still.jpg lacks the record of the picture."
            )
        }
        return Still(record: record, picture: response.body)
    }

    /// Opens a camera and keeps it open until it is stopped (`POST /v1/cameras/{camera}/start`).
    ///
    /// Returns its status once frames are on their way.
    package func start(_ camera: String) async throws -> CameraStatus {
        try await read(ControlRequest("POST", Self.path(camera) + "/start", deadline: Self.opening))
    }

    /// Closes a camera, and ends every hold on it (`POST /v1/cameras/{camera}/stop`).
    package func stop(_ camera: String) async throws -> CameraStatus {
        try await read(ControlRequest("POST", Self.path(camera) + "/stop", deadline: Self.opening))
    }

    /// Forgets what the pictures of a camera always have wrong (`POST /v1/cameras/{camera}/tolerance/reset`).
    package func resetTolerance(of camera: String) async throws -> CameraStatus {
        try await read(ControlRequest("POST", Self.path(camera) + "/tolerance/reset", deadline: Self.opening))
    }

    /// Takes a lease on a camera, or extends it (`POST /v1/cameras/{camera}/hold`).
    package func hold(_ request: HoldRequest, of camera: String) async throws -> CameraHold {
        try await read(ControlRequest("POST", Self.path(camera) + "/hold", json: request, deadline: Self.opening))
    }

    /// Ends one lease on a camera, or all (`POST /v1/cameras/{camera}/release`); returns those that are left.
    package func release(_ request: ReleaseRequest, of camera: String) async throws -> HoldList {
        try await read(ControlRequest("POST", Self.path(camera) + "/release", json: request, deadline: Self.opening))
    }

    /// Watches a camera for a few frames (`POST /v1/cameras/{camera}/examine`) and returns what came.
    package func examine(_ request: ExaminationRequest, of camera: String) async throws -> Examination {
        let deadline = request.deadline + Self.margin
        return try await read(ControlRequest("POST", Self.path(camera) + "/examine", json: request, deadline: deadline))
    }

    /// The daemon itself gives a camera 10 s to open.
    private static var opening: Duration { .seconds(12) }

    /// The time that the exchange may take beyond the still's deadline: the daemon itself answers when that has come.
    static var margin: Duration { .seconds(2) }

    static func path(_ camera: String) -> String { "/v1/cameras/\(ControlRequest.percentEncoded(camera))" }
}

extension ControlConnection {
    /// Takes a burst as ``ControlExchange/stills(_:of:)`` does, and hands each still to `each` once it is as durable as asked.
    ///
    /// Returns what is missing; nil where nothing is. Throws also what `each` throws, which ends the burst.
    package func stills(
        _ stills: StillRequest,
        of camera: String,
        each: (StillRecord) async throws -> Void
    ) async throws -> [MissedStill]? {
        let request = try Self.request(stills, of: camera, accept: StillList.linesMediaType)
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        async let reply = send(request, since: .now(), lines: feed).checked(for: request)
        var missed: [MissedStill]?
        /// A line is a list, or why the first still failed.
        func take(_ line: [UInt8]) async throws {
            if let failure = ControlResponse.failure(in: line) { throw failure }
            let list: StillList = try request.read(from: line)
            for still in list.stills { try await each(still) }
            missed = list.missed
        }
        for await line in lines { try await take(line) }
        // A daemon that knows no such lines sends one list.
        let rest = try await reply.body
        if !rest.isEmpty { try await take(rest) }
        return missed
    }
}
