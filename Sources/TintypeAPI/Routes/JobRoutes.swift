// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var jobRoutes: [Route] {
        [
            .get("/v1/jobs", "jobs", .part(.view), [.notInTime, .spoolFailed])
                .about(
                    "Every job: the upload rules of the configuration, the uploads that were asked for, films and clips"
                )
                .reply("The jobs.") { _, context in
                    var (list, caller) = (try await jobs.jobs(), try context.caller)
                    list.jobs.removeAll { !caller.sees($0) }
                    return list
                },
            .post("/v1/jobs", "addJob", .role(.admin), .spool)
                .about("Upload stored pictures once; replies when all of them are noted on the disk")
                .body(.required(JobRequest.self, "The pictures and the target; at most 512 KiB."))
                .reply("The job.", status: .created) { request, context in
                    try await jobs.add(request.required(context.frameLimits))
                },
            .post("/v1/films", "addFilm", .role(.control), .spool)
                .about("Make a film of stored pictures; replies when its job is on the disk")
                .body(.required(FilmRequest.self, "The pictures and the style; at most 512 KiB."))
                .reply("The job.", status: .created) { request, context in
                    try await jobs.addFilm(request.required(context.frameLimits))
                },
            .get("/v1/jobs/{job}", "job", .part(.view), .spool)
                .about("One job")
                .reply("The job.") { _, context in
                    let name = try context.segment("job")
                    let job = try await jobs.job(name)
                    try context.caller.require(.view, for: job, named: name)
                    return job
                },
            .patch("/v1/jobs/{job}", "changeJob", .role(.control), .spool)
                .about("Change the priority of a job")
                .body(.required(JobChange.self, "The change."))
                .reply("The changed job.") { request, context in
                    let change: JobChange = try await request.required(context.limits)
                    return try await jobs.setPriority(change.priority, of: context.segment("job"))
                },
            .delete("/v1/jobs/{job}", "deleteJob", .role(.admin), .spool + [.precondition])
                .about("Delete a job that is done, failed or cancelled; its pictures stay")
                .replies([.empty("The job is deleted.")]) { _, context in
                    try await jobs.delete(context.segment("job"))
                    return Response(status: .noContent)
                },
            command(.pause, "Pause a job; the transfer that runs is stopped, and begins again later"),
            command(.resume, "Resume a paused job"),
            command(.cancel, "Cancel a job that was asked for; nothing partial stays under a final name"),
            command(.retry, "Try a job again now, with the pictures that the target refused"),
        ]
    }

    private func command(_ event: JobState.Event, _ summary: String) -> Route {
        .post("/v1/jobs/{job}/\(event.rawValue)", "\(event.rawValue)Job", .part(.still), .spool + [.precondition])
            .about(summary)
            .details("For a clip, with the role still for its camera; for others, with control.")
            .reply("The changed job.") { _, context in
                let (name, caller) = (try context.segment("job"), try context.caller)
                return try await jobs.change(name, by: event) { job throws(Problem) in
                    try caller.require(job.kind == .clip ? .still : .control, for: job, named: name)
                }
            }
    }
}

/// The protocol of the worker, `tintype work`.
extension ControlServices {
    var workRoutes: [Route] {
        [
            .post("/v1/work", "work", .work, [.precondition])
                .about("Do the jobs: orders in one reply, whose end ends all claims")
                .details("Lines of JSON (WorkOrder), at least one every 5 s. One worker at a time.")
                .replies([.content([WorkOrder.mediaType], "The orders.", WorkOrder.schema)]) { _, context in
                    let session = try jobs.connect(try context.caller.name)
                    return Response(orders: session, while: context.isCurrent)
                },
            .get("/v1/work/{batch}/{frame}", "workFile", .work, .spool)
                .about("The file of a frame of a claimed batch")
                .parameters(RouteParameter.ofRanges)
                .replies(RouteReply.file("The picture, film or clip.")) { request, context in
                    let file = try await jobs.file(of: context.frameID("frame"), in: context.segment("batch"))
                    return Response(file: file, for: request, [.cacheControl: "no-store"])
                },
            .get("/v1/work/{batch}/pictures", "workPictures", .work, .spool)
                .about("The pictures of the film of a claimed batch, oldest first, page by page")
                .details("The worker may read the pictures of the last page.")
                .parameters([.init(.query, "cursor", "The field next of the page before.", FrameCursor.schema)])
                .reply("A page.") { request, context in
                    let query = try FrameQuery(query: request.parameters(of: ["cursor"]) + [("order", "oldest")])
                    return try await jobs.pictures(of: context.segment("batch"), after: query.cursor)
                },
            .get("/v1/work/{batch}/recording", "workRecording", .work, .spool)
                .about("The recording of the clip of a claimed batch")
                .parameters(RouteParameter.ofRanges)
                .replies(RouteReply.file("Its frames, as SMJPEG.", ["application/octet-stream"])) { request, context in
                    let file = try await jobs.recording(of: context.segment("batch"))
                    return Response(file: file, for: request, [.cacheControl: "no-store"])
                },
            .put("/v1/work/{batch}/video", "putWorkVideo", .work, .spool)
                .about("Send the next part of the finished film or clip of a claimed batch")
                .parameters([
                    .init(.query, "offset", "Bytes before this part; 0 begins anew.", Int.schema, isRequired: true)
                ])
                .body(
                    RouteBody(
                        schema: ["type": "string", "format": "binary"],
                        description: "The part; at most 1 MiB.",
                        isRequired: true,
                        mediaType: "application/octet-stream"
                    )
                )
                .replies([.empty("The part is written.")]) { request, context in
                    let offset = try request.parameters(of: ["offset"]).first.flatMap { Int($0.value) } ?? -1
                    guard offset >= 0 else {
                        throw Problem.invalid(field: "offset", "is no number of bytes.", remedy: "Give one, such as 0.")
                    }
                    var limits = context.limits
                    limits.bytes = 1 << 20
                    let part = Array(try await request.smallBody(limits).readableBytesView)
                    try await jobs.receive(part, at: offset, of: context.segment("batch"))
                    return Response(status: .noContent)
                },
            .post("/v1/work/{batch}", "reportWork", .work, .spool)
                .about("Report results of a claimed batch; replies once they are on the disk")
                .body(.required(WorkReport.self, "The results; at most 64 KiB."))
                .replies([.empty("The results are noted.")]) { request, context in
                    let report: WorkReport = try await request.required(context.limits)
                    try await jobs.report(report, on: context.segment("batch"))
                    return Response(status: .noContent)
                },
        ]
    }
}
