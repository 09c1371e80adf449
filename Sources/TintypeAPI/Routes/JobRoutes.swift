// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var jobRoutes: [Route] {
        [
            Route(
                .get("/v1/jobs", "jobs", .role(.view)),
                "Every job: the upload rules of the configuration, and the uploads that were asked for",
                reply: "The jobs.",
                failures: [.notInTime, .spoolFailed]
            ) { _, _ in try await jobs.jobs() },
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
                .get("/v1/jobs/{job}", "job", .role(.view)),
                "One job",
                reply: "The job.",
                failures: [.notFound, .notInTime, .spoolFailed]
            ) { _, context in try await jobs.job(try context.segment("job")) },
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
            .post("/v1/jobs/{job}/\(event.rawValue)", "\(event.rawValue)Job", .role(.control)),
            summary,
            reply: "The changed job.",
            failures: [.notFound, .precondition, .notInTime, .spoolFailed]
        ) { _, context in try await jobs.change(try context.segment("job"), by: event) }
    }
}
