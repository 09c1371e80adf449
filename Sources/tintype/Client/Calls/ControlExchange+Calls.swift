// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
package import TintypeModel

// Each call throws ``Problem`` if the daemon replies with one, and ``ClientError`` if there is no valid reply.
extension ControlExchange {
    /// Health and version of the daemon (`GET /healthz`); does not throw if the health is `failing`.
    package func health() async throws -> Health {
        try await read(ControlRequest("GET", "/healthz"), accepting: Health.Level.failing.httpStatus)
    }

    package func reload() async throws -> ReloadReport {
        try await read(ControlRequest("POST", "/v1/reload", deadline: Self.opening))
    }

    package func access(of account: Accounts.Account?) async throws -> AccessReport {
        var query = account.map { [("uid", "\($0.user)")] } ?? []
        if let groups = account?.groups, !groups.isEmpty {
            query.append(("gid", groups.map(String.init).joined(separator: ",")))
        }
        return try await read(ControlRequest("GET", "/v1/access", query: query))
    }

    /// Creates a token (`POST /v1/tokens`), which the daemon does not store.
    package func makeToken() async throws -> NewToken { try await read(ControlRequest("POST", "/v1/tokens")) }

    package func cameras() async throws -> CameraList { try await read(ControlRequest("GET", "/v1/cameras")) }

    package func camera(_ name: String) async throws -> CameraStatus {
        try await read(ControlRequest("GET", Self.path(name)))
    }

    package func formats(of camera: String) async throws -> FormatList {
        try await read(ControlRequest("GET", Self.path(camera) + "/formats", deadline: Self.opening))
    }

    package func configuration(of camera: String) async throws -> ConfigurationReport {
        try await read(ControlRequest("GET", Self.path(camera) + "/configuration"))
    }

    /// Changes the configuration completely or not at all; `revision` is the expected one, nil for any.
    package func configure(
        _ settings: CameraSettings,
        of camera: String,
        ifRevision revision: Int?
    ) async throws -> ConfigurationReport {
        let headers = revision.map { ["If-Match": "\"\($0)\""] } ?? [:]
        let path = Self.path(camera) + "/configuration"
        return try await read(ControlRequest("PUT", path, json: settings, headers: headers, deadline: Self.opening))
    }

    /// Takes stills (`POST /v1/cameras/{camera}/stills`) and returns once they are as durable as requested.
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

    package func still(_ request: StillRequest, of camera: String) async throws -> StillRecord {
        let list = try await stills(request, of: camera)
        guard list.stills.count == 1, let still = list.stills.first else {
            throw ClientError.unexpected("The daemon answered a request for one still with \(list.stills.count).")
        }
        return still
    }

    /// Takes and downloads one picture, stored only if `request.keep`; ignores a burst in `request`.
    package func picture(of camera: String, _ request: StillRequest) async throws -> Still {
        let (path, limit) = (Self.path(camera) + "/still.jpg", request.deadline + Self.margin)
        let response = try await succeed(ControlRequest("GET", path, query: try request.query, deadline: limit))
        guard let record = StillRecord(bytes: response.body.count, header: { response.header($0) }) else {
            throw ClientError.unexpected("The reply to GET \(path) lacks the record of the picture.")
        }
        return Still(record: record, picture: response.body)
    }

    /// Opens a camera until it is stopped; returns once it streams.
    package func start(_ camera: String) async throws -> CameraStatus {
        try await read(ControlRequest("POST", Self.path(camera) + "/start", deadline: Self.opening))
    }

    /// Closes a camera and ends all its leases.
    package func stop(_ camera: String) async throws -> CameraStatus {
        try await read(ControlRequest("POST", Self.path(camera) + "/stop", deadline: Self.opening))
    }

    package func resetTolerance(of camera: String) async throws -> CameraStatus {
        try await read(ControlRequest("POST", Self.path(camera) + "/tolerance/reset", deadline: Self.opening))
    }

    package func hold(_ request: HoldRequest, of camera: String) async throws -> CameraHold {
        try await read(ControlRequest("POST", Self.path(camera) + "/hold", json: request, deadline: Self.opening))
    }

    /// Ends one lease or all; returns the remaining ones.
    package func release(_ request: ReleaseRequest, of camera: String) async throws -> HoldList {
        try await read(ControlRequest("POST", Self.path(camera) + "/release", json: request, deadline: Self.opening))
    }

    package func examine(_ request: ExaminationRequest, of camera: String) async throws -> Examination {
        let deadline = request.deadline + Self.margin
        return try await read(ControlRequest("POST", Self.path(camera) + "/examine", json: request, deadline: deadline))
    }

    /// Exceeds the daemon's own limit of 10 s to open a camera.
    private static var opening: Duration { .seconds(12) }

    /// Time for the exchange beyond the still's deadline, at which the daemon itself replies.
    static var margin: Duration { .seconds(2) }

    static func path(_ camera: String) -> String { "/v1/cameras/\(ControlRequest.percentEncoded(camera))" }
}

extension ControlConnection {
    /// Takes a burst, passes each durable still to `each`, whose error ends it, and returns the missed stills, or nil.
    package func stills(
        _ stills: StillRequest,
        of camera: String,
        each: (StillRecord) async throws -> Void
    ) async throws -> [MissedStill]? {
        let request = try Self.request(stills, of: camera, accept: StillList.linesMediaType)
        let (lines, feed) = AsyncStream.makeStream(of: [UInt8].self)
        async let reply = send(request, since: .now(), lines: feed).checked(for: request)
        var missed: [MissedStill]?
        /// A line is a list, or the problem of the first still.
        func deliver(_ line: [UInt8]) async throws {
            if let failure = ControlResponse.failure(in: line) { throw failure }
            let list: StillList = try request.read(from: line)
            for still in list.stills { try await each(still) }
            missed = list.missed
        }
        for await line in lines { try await deliver(line) }
        // A daemon without support for lines replies with one list.
        let rest = try await reply.body
        if !rest.isEmpty { try await deliver(rest) }
        return missed
    }
}
