// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    /// Room that a stored burst needs for its records, before it begins: a thousand of them.
    private static let burstBytes = 1 << 20

    var cameraRoutes: [Route] {
        [
            .get("/v1/cameras", "cameras", .part(.view))
                .about("Every configured or discovered camera; opens no camera")
                .reply("The cameras.") { _, context in
                    let caller = try context.caller
                    var list = await cameras.list()
                    list.cameras.removeAll { caller.role(for: $0.name) == nil }
                    if caller.role == nil { list.unconfigured = nil }
                    return list
                },
            .get("/v1/cameras/{camera}", "camera", .role(.view), [.notFound])
                .about("One camera; opens no camera")
                .reply("The camera's status.") { _, context in try await cameras.camera(context.camera()) },
            .get("/v1/cameras/{camera}/formats", "formats", .role(.still), .driver)
                .about("The formats that the camera offers")
                .reply("The formats.") { _, context in
                    FormatList(formats: try await cameras.formats(of: context.camera()))
                },
            .post("/v1/cameras/{camera}/stills", "takeStill", .role(.still), .stored)
                .about("Take a still; replies once it is as durable as asked")
                .details(
                    """
                    The reply to a burst comes when the whole burst is taken. Stills are stored as they are taken: the \
                    first one alone, then up to eight at a time. A still that cannot be taken is listed in missed; if \
                    the first one cannot be taken, the reply is its problem. A burst without a time between its stills \
                    takes consecutive frames and ends at the first frame that cannot be taken; stills that were being \
                    stored at that moment are in stills too. If the client disconnects, the burst ends and the stills \
                    stored so far stay.
                    """
                )
                .body(.optional(StillRequest.self, "At most 64 KiB; empty for the defaults."))
                .replies([
                    .content(
                        [StillList.linesMediaType],
                        "The burst has begun: lines of JSON, each a StillList or Problem."
                    ),
                    .json(
                        StillList.self,
                        "The still is taken.",
                        status: 201,
                        headers: [("Location", "The record, if the still is stored, as a relative address.")]
                    ),
                ]) { request, context in
                    let wanted: StillRequest = try await request.decoded(context.limits)
                    let camera = try context.camera()
                    guard wanted.burst != nil, request.headers[.accept]?.contains(StillList.linesMediaType) == true
                    else {
                        // The records of a long burst may need more than the budget of replies has.
                        if wanted.burst != nil, wanted.keep {
                            try context.reply.admit(Self.burstBytes)
                            // It may take hours, and is not refused any more.
                            try context.reply.admit(0)
                        }
                        return try Response(taken: try await cameras.stills(wanted, of: camera) { _ in })
                    }
                    return Response(lines: { continuation throws(Problem) in
                        try await cameras.stills(wanted, of: camera) { continuation.yield($0) }
                    })
                },
            .post("/v1/cameras/{camera}/trigger", "trigger", .role(.still), .stored)
                .about("Store the pictures before and after this moment; replies once the camera gives pictures")
                .details(
                    """
                    For an event that the camera does not see, as `publish` does for motion. A camera that is off is \
                    opened; if it gives no picture, the reply is the problem of a still. The pictures are stored \
                    without the client, also after the reply. A trigger during another one extends it: each picture is \
                    stored once, from then on with the tags of both.
                    """
                )
                .body(.optional(TriggerRequest.self, "At most 64 KiB; empty for the defaults."))
                .reply("The camera gives pictures; they will be stored.", status: .accepted) { request, context in
                    try await cameras.trigger(request.decoded(context.limits), of: context.camera())
                },
            .post("/v1/cameras/{camera}/clips", "recordClip", .role(.still), .stored)
                .about("Record a clip; replies once its first picture is recorded")
                .details(
                    """
                    The camera is opened if necessary, and stays open. The recording goes on without the client, and \
                    can be paused, resumed and cancelled as a job; then the worker makes a video of it, which is \
                    stored.
                    """
                )
                .body(.optional(ClipRequest.self, "At most 64 KiB; empty for the defaults."))
                .reply("The job of the clip.", status: .created) { request, context in
                    try await cameras.record(request.decoded(context.limits), of: context.camera())
                },
            .post("/v1/cameras/{camera}/scan", "scan", .role(.still), .driver)
                .about("Take a still and read its QR and bar codes; opens the camera as a still does")
                .body(.optional(ScanRequest.self, "At most 64 KiB; empty for the defaults."))
                .reply("The codes, and the record of the still, which is not stored.") { request, context in
                    try await cameras.scan(request.decoded(context.limits), of: context.camera())
                },
            .post("/v1/cameras/{camera}/examine", "examine", .role(.still), .camera)
                .about("Watch a camera for a few frames and report what it delivered; opens the camera as a still does")
                .body(.optional(ExaminationRequest.self, "At most 64 KiB; empty for the defaults."))
                .reply("The report, with the camera's problem if there is one.") { request, context in
                    try await cameras.examine(request.decoded(context.limits), of: context.camera())
                },
            .post("/v1/cameras/{camera}/tolerance/reset", "resetTolerance", .role(.control), .camera)
                .about("Reset the tolerated faults of a camera")
                .details("The daemon learns again which faults tolerant stills accept.")
                .reply("The camera's status, without a tolerance.") { _, context in
                    try await cameras.resetTolerance(of: context.camera())
                },
            .get("/v1/cameras/{camera}/still.jpg", "stillPicture", .role(.view), .stored)
                .about("Take a still; the reply is the picture itself")
                .parameters([.ifNoneMatch] + RouteParameter.query(StillRequest.queryFields))
                .replies([
                    .picture(
                        """
                        The picture, with its record in the header. A list has a comma between two members; a map is a \
                        list of names and numbers, as in “corrupt=1, stale=2”. A list without members has no field.
                        """,
                        headers: Self.recordHeaders
                    ),
                    .empty(
                        "The client has this picture already (If-None-Match): its header, without content.",
                        status: 304,
                        headers: Self.recordHeaders
                    ),
                ]) { request, context in
                    let wanted = try StillRequest(query: request.parameters)
                    // HEAD is safe (RFC 9110, 9.2.1 and 9.3.2) and must not store a picture.
                    if request.method == .head, wanted.keep {
                        let fault = "cannot be true for HEAD, which stores nothing."
                        throw Problem.invalid(field: "keep", fault, remedy: "Use GET, or leave keep out.")
                    }
                    let camera = try context.camera()
                    let still = try await context.opening(camera, wanted) { wanted throws(Problem) in
                        try await cameras.still(wanted, of: camera, beforeStoring: context.reply.admit)
                    }
                    return Response(still: still, hasIt: request.alreadyHas(tag: "\(still.record.id)"))
                },
            .get("/v1/cameras/{camera}/stream.mjpg", "streamPictures", .role(.view), .driver)
                .about("Watch a camera live: one picture after the other in one reply")
                .details(
                    """
                    Always the newest picture, sent when the client has read the one before. Clients that ask for the \
                    same share one encode. The reply has no length and ends with the connection, as in HTTP/1.0: when \
                    the camera gives no picture within deadlineMs, or is stopped. The camera is opened for it, stays \
                    open, and is reopened if it fails.
                    """
                )
                .parameters(RouteParameter.query(StreamRequest.fields))
                .replies([.pictures]) { request, context in
                    let wanted = try StreamRequest(query: request.parameters)
                    return try await cameras.streamReply(wanted, of: context.camera(), for: request, context)
                },
        ]
    }

    /// Headers of a still: its record and the cache validators.
    static let recordHeaders: RouteReply.Headers =
        StillRecord.headerFields.map { ($0.headerName, $0.description) } + [
            (
                "ETag",
                """
                The id in quotes. Replies that do not store the picture have the same id for the same rendering of the \
                same frame; each stored copy has an id of its own.
                """
            ),
            ("Last-Modified", "The time of capture to the second."),
            ("Cache-Control", "no-store"),
        ]
}

extension ControlServices {
    private static let tag = [(name: "ETag", description: "The revision, for If-Match.")]

    var configurationRoutes: [Route] {
        [
            .get("/v1/cameras/{camera}/configuration", "configuration", .role(.view), [.notFound])
                .about("The configuration of the camera and what the driver granted; opens no camera")
                .replies([.json(ConfigurationReport.self, "The configuration.", headers: Self.tag)]) { _, context in
                    let report = try await cameras.configuration(of: context.camera())
                    return try Response(configuration: report)
                },
            .put("/v1/cameras/{camera}/configuration", "configure", .role(.control), .driver + [.precondition])
                .about("Change the configuration, completely or not at all, until the daemon ends")
                .details(
                    """
                    A closed camera is opened without a stream to see what the driver grants, and closed again. The \
                    stream of an open camera restarts; if the driver refuses, it continues with the old configuration. \
                    Requests that wait for a picture keep waiting.
                    """
                )
                .parameters([
                    .init(.header, "If-Match", "The ETag that must still be current, else configuration-conflict.")
                ])
                .body(.required(CameraSettings.self, "At most 64 KiB."))
                .replies([.json(ConfigurationReport.self, "It is in force.", headers: Self.tag)]) { request, context in
                    let settings: CameraSettings = try await request.required(context.limits)
                    let (revision, camera) = (try request.expectedRevision, try context.camera())
                    let report = try await cameras.configure(settings, ifRevision: revision, of: camera)
                    return try Response(configuration: report)
                },
        ]
    }
}

extension Request {
    /// Revision in `If-Match` (RFC 9110, 13.1.1); nil if any revision is acceptable.
    fileprivate var expectedRevision: Int? {
        get throws(Problem) {
            guard let tag = headers[.ifMatch], tag != "*" else { return nil }
            guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
                let revision = Int(tag.dropFirst().dropLast())
            else {
                throw .invalid(
                    field: "If-Match",
                    "is not the ETag of a configuration.",
                    remedy: "Give the ETag of GET …/configuration as it is, with its quotes, or leave it out."
                )
            }
            return revision
        }
    }
}

extension Response {
    fileprivate init(configuration report: ConfigurationReport) throws {
        try self.init(json: report)
        headers[.eTag] = "\"\(report.revision)\""
    }
}

extension ControlServices {
    var warmthRoutes: [Route] {
        [
            .post("/v1/cameras/{camera}/start", "start", .role(.control), .driver)
                .about("Open a camera and keep it streaming until it is stopped")
                .reply("The camera's status; the camera streams.") { _, context in
                    try await cameras.start(context.camera())
                },
            .post("/v1/cameras/{camera}/stop", "stop", .role(.control), .camera)
                .about("Close a camera, even a hot or held one, until the next request for it")
                .reply(
                    """
                    The camera's status; the camera is closed. While a driver call hangs, the reply is driver-stuck \
                    within a second, and the camera is closed when the call returns.
                    """
                ) { _, context in try await cameras.stop(context.camera()) },
            .post("/v1/cameras/{camera}/hold", "hold", .role(.still), .driver)
                .about("Keep a camera streaming for some time; a second hold of the same owner extends the first")
                .details(
                    "The names of the daemon's own holds (motion, codes, trigger, publish, publish-2 and so on) are refused."
                )
                .body(.required(HoldRequest.self, "The owner of the lease and its duration."))
                .reply("The lease; the camera streams, or will when the interruption has ended.") { request, context in
                    let wanted: HoldRequest = try await request.required(context.limits)
                    guard !HoldRequest.isOfDaemon(wanted.owner) else {
                        let detail = "The owner “\(wanted.owner)” is kept for the daemon's own holds."
                        let remedy = "Hold the camera under another name (tintype hold --owner NAME)."
                        throw Problem(.invalidRequest, detail, remedy: remedy, field: "owner")
                    }
                    return try await cameras.hold(wanted, of: context.camera())
                },
            .post("/v1/cameras/{camera}/release", "release", .role(.still), .camera)
                .about("End one lease or all; after the last one the camera returns to its configured warmth")
                .details(
                    "To end all, or one of the daemon itself (motion, codes, trigger, publish), takes the role control."
                )
                .body(.optional(ReleaseRequest.self, "The owner of the lease; empty for all leases."))
                .reply("The remaining leases.") { request, context in
                    let wanted: ReleaseRequest = try await request.decoded(context.limits)
                    let camera = try context.camera()
                    if wanted.owner.map(HoldRequest.isOfDaemon) ?? true {
                        try context.caller.require(.control, for: camera)
                    }
                    return HoldList(holds: try await cameras.release(wanted, of: camera))
                },
        ]
    }
}
