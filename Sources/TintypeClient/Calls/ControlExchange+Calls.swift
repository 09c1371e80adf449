// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

// Each call throws ``Problem`` where the daemon answers with one, and ``ClientError`` where no reply can be had.
extension ControlExchange {
    /// The daemon's health and version (`GET /healthz`), also where that says that nothing works.
    package func health() async throws -> Health {
        try await read(Health.self, ControlRequest("GET", "/healthz"), accepting: Health.Level.failing.httpStatus)
    }

    /// Every configured or discovered camera (`GET /v1/cameras`).
    package func cameras() async throws -> CameraList {
        try await read(CameraList.self, ControlRequest("GET", "/v1/cameras"))
    }

    /// One camera (`GET /v1/cameras/{camera}`).
    package func camera(_ name: String) async throws -> CameraStatus {
        try await read(CameraStatus.self, ControlRequest("GET", Self.path(name)))
    }

    /// The formats that a camera offers (`GET /v1/cameras/{camera}/formats`).
    package func formats(of camera: String) async throws -> FormatList {
        // The daemon gives a camera that is slow to open 10 s.
        let request = ControlRequest("GET", Self.path(camera) + "/formats", deadline: .seconds(12))
        return try await read(FormatList.self, request)
    }

    /// How a camera is configured (`GET /v1/cameras/{camera}/configuration`).
    package func configuration(of camera: String) async throws -> ConfigurationReport {
        try await read(ConfigurationReport.self, ControlRequest("GET", Self.path(camera) + "/configuration"))
    }

    /// Changes the configuration of a camera (`PUT /v1/cameras/{camera}/configuration`), whole or not at all.
    ///
    /// Returns the new configuration, and what was granted of it. `revision` is the one that the change is based on, nil
    /// for whatever there is.
    package func configure(
        _ settings: CameraSettings,
        of camera: String,
        ifRevision revision: Int?
    ) async throws -> ConfigurationReport {
        var headers = ["Content-Type": "application/json"]
        if let revision { headers["If-Match"] = "\"\(revision)\"" }
        return try await read(
            ConfigurationReport.self,
            ControlRequest(
                "PUT",
                Self.path(camera) + "/configuration",
                headers: headers,
                body: try WireFormat.encode(settings),
                // The daemon gives a device 10 s.
                deadline: .seconds(12)
            )
        )
    }

    /// Takes stills (`POST /v1/cameras/{camera}/stills`) and returns once they are as durable as asked.
    package func stills(_ request: StillRequest, of camera: String) async throws -> StillList {
        try await read(StillList.self, try Self.request(request, of: camera))
    }

    static func request(
        _ stills: StillRequest,
        of camera: String,
        accept: String = "application/json"
    ) throws -> ControlRequest {
        ControlRequest(
            "POST",
            path(camera) + "/stills",
            headers: ["Content-Type": "application/json", "Accept": accept],
            body: try WireFormat.encode(stills),
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
                query: try request.query.map { ControlRequest.QueryItem($0.name, $0.value) },
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

    /// The time that the exchange may take beyond the still's deadline: the daemon itself answers when that has come.
    static var margin: Duration { .seconds(2) }

    static func path(_ camera: String) -> String {
        "/v1/cameras/\(ControlRequest.percentEncoded(camera))"
    }
}
