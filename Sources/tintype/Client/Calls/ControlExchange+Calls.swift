// SPDX-License-Identifier: Apache-2.0
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
        try await read(try Self.request(request, of: camera, accept: "application/json"))
    }

    static func request(_ stills: StillRequest, of camera: String, accept: String) throws -> ControlRequest {
        let (target, limit) = (path(camera) + "/stills", stills.longestDuration + margin)
        return try ControlRequest("POST", target, json: stills, headers: ["Accept": accept], deadline: limit)
    }

    package func still(_ request: StillRequest, of camera: String) async throws -> StillRecord {
        let list = try await stills(request, of: camera)
        guard list.stills.count == 1, let still = list.stills.first else {
            throw ClientError.unexpected("The daemon answered a request for one still with \(list.stills.count).")
        }
        return still
    }

    /// Returns once the camera gives pictures, which the daemon then stores.
    package func trigger(_ request: TriggerRequest, of camera: String) async throws -> TriggerReport {
        let limit = Self.opening + StillRequest.defaultDeadline
        return try await read(ControlRequest("POST", Self.path(camera) + "/trigger", json: request, deadline: limit))
    }

    /// Returns once the recording of a clip has its first picture.
    package func record(_ request: ClipRequest, of camera: String) async throws -> Job {
        let limit = Self.opening + StillRequest.defaultDeadline
        return try await read(ControlRequest("POST", Self.path(camera) + "/clips", json: request, deadline: limit))
    }

    /// Takes a still and returns its codes.
    package func scan(_ request: ScanRequest, of camera: String) async throws -> ScanReport {
        let limit = request.deadline + Self.margin
        return try await read(ControlRequest("POST", Self.path(camera) + "/scan", json: request, deadline: limit))
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

    private static func path(_ camera: String) -> String { "/v1/cameras/\(ControlRequest.percentEncoded(camera))" }

    // MARK: - Controls

    package func controls(of camera: String) async throws -> ControlList { try await read(Self.request("GET", camera)) }

    /// Throws `configuration-unsupported` if none could be set.
    package func setControls(_ settings: ControlSettings, of camera: String) async throws -> ControlOutcomeList {
        try await read(ControlRequest("PATCH", Self.path(camera) + "/controls", json: settings, deadline: Self.setting))
    }

    package func resetControls(of camera: String) async throws -> ControlOutcomeList {
        try await read(Self.request("POST", camera, "/reset"))
    }

    package func profiles(of camera: String) async throws -> ControlProfileList {
        try await read(Self.request("GET", camera, "/profiles"))
    }

    package func saveProfile(_ profile: String, of camera: String) async throws -> ControlProfile {
        try await read(Self.request("PUT", camera, Self.profilePath(profile)))
    }

    package func removeProfile(_ profile: String, of camera: String) async throws {
        _ = try await succeed(Self.request("DELETE", camera, Self.profilePath(profile)))
    }

    package func applyProfile(_ profile: String, of camera: String) async throws -> ControlOutcomeList {
        try await read(Self.request("POST", camera, Self.profilePath(profile) + "/apply"))
    }

    package func differences(from profile: String, of camera: String) async throws -> ControlDifferenceList {
        try await read(Self.request("GET", camera, Self.profilePath(profile) + "/diff"))
    }

    private static func profilePath(_ name: String) -> String { "/profiles/\(ControlRequest.percentEncoded(name))" }

    private static func request(_ method: String, _ camera: String, _ rest: String = "") -> ControlRequest {
        ControlRequest(method, path(camera) + "/controls\(rest)", deadline: setting)
    }

    // MARK: - Frames

    package func frame(_ id: FrameID) async throws -> FrameRecord {
        try await read(ControlRequest("GET", "/v1/frames/\(id)"))
    }

    package func image(of id: FrameID) async throws -> [UInt8] {
        try await succeed(ControlRequest("GET", "/v1/frames/\(id)/image", deadline: Self.transfer)).body
    }

    package func frames(_ query: FrameQuery) async throws -> FramePage {
        try await read(ControlRequest("POST", "/v1/frames/query", json: query, deadline: Self.opening))
    }

    /// Returns once the change is on disk.
    package func apply(_ change: FrameChange) async throws -> FrameOutcome {
        try await read(ControlRequest("PATCH", "/v1/frames", json: change, deadline: Self.writing))
    }

    /// Deletes frames permanently; returns once the deletion is on disk.
    package func delete(_ selection: FrameSelection) async throws -> FrameOutcome {
        try await read(ControlRequest("DELETE", "/v1/frames", json: selection, deadline: Self.writing))
    }

    package func spools() async throws -> SpoolList {
        try await read(ControlRequest("GET", "/v1/spool", deadline: Self.opening))
    }

    /// Reconciles folder and catalog, without a deadline: it may take hours.
    package func verify(_ request: VerificationRequest) async throws -> VerificationList {
        try await read(ControlRequest("POST", "/v1/spool/verify", json: request, deadline: nil))
    }

    /// Applies the retention rules or lists what they would delete, without a deadline.
    package func retention(_ request: RetentionRequest) async throws -> RetentionList {
        try await read(ControlRequest("POST", "/v1/spool/retention", json: request, deadline: nil))
    }

    // MARK: - Jobs

    package func jobs() async throws -> JobList {
        try await read(ControlRequest("GET", "/v1/jobs", deadline: Self.opening))
    }

    package func job(_ id: String) async throws -> Job {
        try await read(ControlRequest("GET", Self.jobPath(id), deadline: Self.opening))
    }

    package func addJob(_ request: JobRequest) async throws -> Job {
        try await read(ControlRequest("POST", "/v1/jobs", json: request, deadline: Self.writing))
    }

    package func addFilm(_ request: FilmRequest) async throws -> Job {
        try await read(ControlRequest("POST", "/v1/films", json: request, deadline: Self.writing))
    }

    /// Changes the state by pause, resume, cancel or retry.
    package func changeJob(_ id: String, by event: JobState.Event) async throws -> Job {
        try await read(ControlRequest("POST", "\(Self.jobPath(id))/\(event.rawValue)", deadline: Self.writing))
    }

    package func changeJob(_ id: String, _ change: JobChange) async throws -> Job {
        try await read(ControlRequest("PATCH", Self.jobPath(id), json: change, deadline: Self.opening))
    }

    package func deleteJob(_ id: String) async throws {
        _ = try await succeed(ControlRequest("DELETE", Self.jobPath(id), deadline: Self.writing))
    }

    private static func jobPath(_ id: String) -> String { "/v1/jobs/\(ControlRequest.percentEncoded(id))" }

    // MARK: - Deadlines, each above the daemon's own

    /// 10 s to open a camera, or to read a catalog from a disk.
    static var opening: Duration { .seconds(12) }
    /// 10 s for a driver and 5 s for a disk.
    private static var setting: Duration { .seconds(17) }
    /// 60 s to change thousands of frames.
    private static var writing: Duration { .seconds(65) }
    /// A picture may be large and the disk slow.
    static var transfer: Duration { .seconds(60) }
    /// 600 s to store a film of gigabytes.
    static var storing: Duration { .seconds(605) }
    /// Beyond the deadline of a request, at which the daemon itself replies.
    private static var margin: Duration { .seconds(2) }
}
