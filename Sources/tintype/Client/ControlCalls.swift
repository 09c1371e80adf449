// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

// Each call throws ``Problem`` if the daemon replies with one, and ``ClientError`` if there is no valid reply.
extension ControlExchange {
    /// Does not throw if the health is `failing`.
    func health() async throws -> Health {
        try await read(ControlRequest(method: "GET", path: "/healthz"), accepting: Health.Level.failing.httpStatus)
    }

    func reload() async throws -> ReloadReport { try await ask("POST", "/v1/reload") }

    func access(of account: Accounts.Account?) async throws -> AccessReport {
        var query = account.map { [(name: "uid", value: "\($0.user)")] } ?? []
        if let groups = account?.groups, !groups.isEmpty {
            query.append((name: "gid", value: groups.map(String.init).joined(separator: ",")))
        }
        return try await read(ControlRequest(method: "GET", path: "/v1/access", query: query))
    }

    /// Creates a token, which the daemon does not store.
    func makeToken() async throws -> NewToken { try await ask("POST", "/v1/tokens") }
    func cameras() async throws -> CameraList { try await ask("GET", "/v1/cameras") }
    func camera(_ name: String) async throws -> CameraStatus { try await ask("GET", path(name)) }
    func formats(of camera: String) async throws -> FormatList { try await ask("GET", path(camera, "/formats")) }

    func configuration(of camera: String) async throws -> ConfigurationReport {
        try await ask("GET", path(camera, "/configuration"))
    }

    /// Changes the configuration completely or not at all; `revision` is the expected one, nil for any.
    func configure(
        _ settings: CameraSettings,
        of camera: String,
        ifRevision revision: Int?
    ) async throws -> ConfigurationReport {
        let headers = revision.map { ["If-Match": "\"\($0)\""] } ?? [:]
        let path = path(camera, "/configuration")
        return try await read(ControlRequest(method: "PUT", path: path, json: settings, headers: headers))
    }

    func still(_ request: StillRequest, of camera: String) async throws -> StillRecord {
        let list = try await stills(request, of: camera)
        guard list.stills.count == 1, let still = list.stills.first else {
            throw ClientError.unexpected("The daemon answered a request for one still with \(list.stills.count).")
        }
        return still
    }

    /// Returns once the stills are as durable as requested.
    func stills(_ request: StillRequest, of camera: String) async throws -> StillList {
        try await read(try stillsRequest(request, of: camera, accept: "application/json"))
    }

    func stillsRequest(_ stills: StillRequest, of camera: String, accept: String) throws -> ControlRequest {
        let (path, limit) = (path(camera, "/stills"), stills.longestDuration + .margin)
        return try ControlRequest(method: "POST", path: path, json: stills, headers: ["Accept": accept], within: limit)
    }

    /// Returns once the camera gives pictures, which the daemon then stores.
    func trigger(_ request: TriggerRequest, of camera: String) async throws -> TriggerReport {
        try await ask("POST", path(camera, "/trigger"), request, within: .firstPicture)
    }

    /// Returns once the recording of a clip has its first picture.
    func record(_ request: ClipRequest, of camera: String) async throws -> Job {
        try await ask("POST", path(camera, "/clips"), request, within: .firstPicture)
    }

    func scan(_ request: ScanRequest, of camera: String) async throws -> ScanReport {
        try await ask("POST", path(camera, "/scan"), request, within: request.deadline + .margin)
    }

    /// Takes and downloads one picture, stored only if `request.keep`; ignores a burst in `request`.
    func picture(of camera: String, _ request: StillRequest) async throws -> Still {
        let (path, limit) = (path(camera, "/still.jpg"), request.deadline + .margin)
        let query = try request.query
        let response = try await succeed(ControlRequest(method: "GET", path: path, query: query, deadline: limit))
        guard let record = StillRecord(bytes: response.body.count, header: { response.header($0) }) else {
            throw ClientError.unexpected("The reply to GET \(path) lacks the record of the picture.")
        }
        return Still(record: record, picture: response.body)
    }

    /// Opens a camera until it is stopped; returns once it streams.
    func start(_ camera: String) async throws -> CameraStatus { try await ask("POST", path(camera, "/start")) }

    /// Closes a camera and ends all its leases.
    func stop(_ camera: String) async throws -> CameraStatus { try await ask("POST", path(camera, "/stop")) }

    func resetTolerance(of camera: String) async throws -> CameraStatus {
        try await ask("POST", path(camera, "/tolerance/reset"))
    }

    func hold(_ request: HoldRequest, of camera: String) async throws -> CameraHold {
        try await ask("POST", path(camera, "/hold"), request)
    }

    /// Ends one lease or all; returns the remaining ones.
    func release(_ request: ReleaseRequest, of camera: String) async throws -> HoldList {
        try await ask("POST", path(camera, "/release"), request)
    }

    func examine(_ request: ExaminationRequest, of camera: String) async throws -> Examination {
        try await ask("POST", path(camera, "/examine"), request, within: request.deadline + .margin)
    }

    // MARK: - Controls

    func controls(of camera: String) async throws -> ControlList {
        try await ask("GET", path(camera, "/controls"), within: .setting)
    }

    /// Throws `configuration-unsupported` if none could be set.
    func setControls(_ settings: ControlSettings, of camera: String) async throws -> ControlOutcomeList {
        try await ask("PATCH", path(camera, "/controls"), settings, within: .setting)
    }

    func resetControls(of camera: String) async throws -> ControlOutcomeList {
        try await ask("POST", path(camera, "/controls/reset"), within: .setting)
    }

    func profiles(of camera: String) async throws -> ControlProfileList {
        try await ask("GET", path(camera, "/controls/profiles"), within: .setting)
    }

    func saveProfile(_ profile: String, of camera: String) async throws -> ControlProfile {
        try await ask("PUT", path(camera, profile: profile), within: .setting)
    }

    func removeProfile(_ profile: String, of camera: String) async throws {
        let path = path(camera, profile: profile)
        _ = try await succeed(ControlRequest(method: "DELETE", path: path, deadline: .setting))
    }

    func applyProfile(_ profile: String, of camera: String) async throws -> ControlOutcomeList {
        try await ask("POST", path(camera, profile: profile) + "/apply", within: .setting)
    }

    func differences(from profile: String, of camera: String) async throws -> ControlDifferenceList {
        try await ask("GET", path(camera, profile: profile) + "/diff", within: .setting)
    }

    // MARK: - Frames

    func frame(_ id: FrameID) async throws -> FrameRecord { try await ask("GET", "/v1/frames/\(id)") }

    func image(of id: FrameID) async throws -> [UInt8] {
        try await succeed(ControlRequest(method: "GET", path: "/v1/frames/\(id)/image", deadline: .transfer)).body
    }

    func frames(_ query: FrameQuery) async throws -> FramePage { try await ask("POST", "/v1/frames/query", query) }

    /// Returns once the change is on disk.
    func apply(_ change: FrameChange) async throws -> FrameOutcome {
        try await ask("PATCH", "/v1/frames", change, within: .writing)
    }

    /// Deletes frames permanently; returns once the deletion is on disk.
    func delete(_ selection: FrameSelection) async throws -> FrameOutcome {
        try await ask("DELETE", "/v1/frames", selection, within: .writing)
    }

    func spools() async throws -> SpoolList { try await ask("GET", "/v1/spool") }

    /// Reconciles folder and catalog, without a deadline: it may take hours.
    func verify(_ request: VerificationRequest) async throws -> VerificationList {
        try await ask("POST", "/v1/spool/verify", request, within: nil)
    }

    /// Applies the retention rules or lists what they would delete, without a deadline.
    func retention(_ request: RetentionRequest) async throws -> RetentionList {
        try await ask("POST", "/v1/spool/retention", request, within: nil)
    }

    // MARK: - Jobs

    func jobs() async throws -> JobList { try await ask("GET", "/v1/jobs") }
    func job(_ id: String) async throws -> Job { try await ask("GET", path(job: id)) }

    func addJob(_ request: JobRequest) async throws -> Job {
        try await ask("POST", "/v1/jobs", request, within: .writing)
    }

    func addFilm(_ request: FilmRequest) async throws -> Job {
        try await ask("POST", "/v1/films", request, within: .writing)
    }

    func changeJob(_ id: String, by event: JobState.Event) async throws -> Job {
        try await ask("POST", "\(path(job: id))/\(event.rawValue)", within: .writing)
    }

    func changeJob(_ id: String, _ change: JobChange) async throws -> Job {
        try await ask("PATCH", path(job: id), change)
    }

    func deleteJob(_ id: String) async throws {
        _ = try await succeed(ControlRequest(method: "DELETE", path: path(job: id), deadline: .writing))
    }

    // MARK: - Requests

    private func ask<Value: Decodable>(
        _ method: String,
        _ path: String,
        within limit: Duration? = ControlRequest.defaultDeadline
    ) async throws -> Value {
        try await read(ControlRequest(method: method, path: path, deadline: limit))
    }

    private func ask<Value: Decodable>(
        _ method: String,
        _ path: String,
        _ content: some Encodable,
        within limit: Duration? = ControlRequest.defaultDeadline
    ) async throws -> Value {
        try await read(ControlRequest(method: method, path: path, json: content, within: limit))
    }

    private func path(_ camera: String, _ rest: String = "") -> String {
        "/v1/cameras/\(camera.percentEncoded())\(rest)"
    }

    private func path(_ camera: String, profile: String) -> String {
        path(camera, "/controls/profiles/\(profile.percentEncoded())")
    }

    private func path(job id: String) -> String { "/v1/jobs/\(id.percentEncoded())" }
}

/// Deadlines, each above the daemon's own.
extension Duration {
    /// 10 s for a driver and 5 s for a disk.
    fileprivate static let setting = seconds(17)
    /// 10 s to open a camera, and the time for a still.
    fileprivate static let firstPicture = seconds(12) + StillRequest.defaultDeadline
    /// 60 s to change thousands of frames.
    fileprivate static let writing = seconds(65)
    /// A picture may be large and the disk slow.
    static let transfer = seconds(60)
    /// 600 s to store a film of gigabytes.
    static let storing = seconds(605)
    /// Beyond the deadline of a request, at which the daemon itself replies.
    fileprivate static let margin = seconds(2)
}
