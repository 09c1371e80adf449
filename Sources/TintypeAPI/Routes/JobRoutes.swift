// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var jobRoutes: [Route] {
        [
            Route(
                .get("/v1/jobs", "jobs", .part(.view)),
                "Every job: the upload rules of the configuration, the uploads that were asked for, films and clips",
                reply: "The jobs.",
                failures: [.notInTime, .spoolFailed]
            ) { _, context in
                var (list, caller) = (try await jobs.jobs(), try context.caller)
                list.jobs.removeAll { !caller.sees($0) }
                return list
            },
            Route(
                .post("/v1/jobs", "addJob", .role(.admin)),
                "Upload stored pictures once; replies when all of them are noted on the disk",
                body: .required(JobRequest.self, "The pictures and the target; at most 512 KiB."),
                reply: "The job.",
                status: .created,
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                try await jobs.add(try await request.required(JobRequest.self, context.frameLimits))
            },
            Route(
                .post("/v1/films", "addFilm", .role(.control)),
                "Make a film of stored pictures; replies when its job is on the disk",
                body: .required(FilmRequest.self, "The pictures and the style; at most 512 KiB."),
                reply: "The job.",
                status: .created,
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                try await jobs.addFilm(try await request.required(FilmRequest.self, context.frameLimits))
            },
            Route(
                .get("/v1/jobs/{job}", "job", .part(.view)),
                "One job",
                reply: "The job.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { _, context in try await job(context) { _ in .view } },
            Route(
                .patch("/v1/jobs/{job}", "changeJob", .role(.control)),
                "Change the priority of a job",
                body: .required(JobChange.self, "The change."),
                reply: "The changed job.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { request, context in
                let change = try await request.required(JobChange.self, context.limits)
                return try await jobs.setPriority(change.priority, of: try context.segment("job"))
            },
            Route(
                .delete("/v1/jobs/{job}", "deleteJob", .role(.admin)),
                "Delete a job that is done, failed or cancelled; its pictures stay",
                replies: [.empty("The job is deleted.")],
                failures: [.notFound, .precondition, .notInTime, .spoolFailed]
            ) { _, context in
                try await jobs.delete(try context.segment("job"))
                return Response(status: .noContent)
            },
            command(.pause, "Pause a job; the transfer that runs is stopped, and begins again later"),
            command(.resume, "Resume a paused job"),
            command(.cancel, "Cancel a job that was asked for; nothing partial stays under a final name"),
            command(.retry, "Try a job again now, with the pictures that the target refused"),
        ]
    }

    private func command(_ event: JobState.Event, _ summary: String) -> Route {
        Route(
            .post("/v1/jobs/{job}/\(event.rawValue)", "\(event.rawValue)Job", .part(.still)),
            summary,
            "For a clip, with the role still for its camera; for others, with control.",
            reply: "The changed job.",
            failures: [.notFound, .precondition, .notInTime, .spoolFailed]
        ) { _, context in
            let job = try await job(context) { $0.kind == .clip ? .still : .control }
            return try await jobs.change(job.id, by: event)
        }
    }

    /// The job in the path; requires a role for the camera of a film or clip, else for all cameras.
    private func job(_ context: ControlContext, _ role: (Job) -> Role) async throws -> Job {
        let name = try context.segment("job")
        let (job, caller) = (try await jobs.job(name), try context.caller)
        guard caller.sees(job) else { throw Problem.noJob(name) }
        try caller.require(role(job), for: job.camera)
        return job
    }
}
