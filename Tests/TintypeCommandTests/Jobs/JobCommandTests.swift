// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

/// `tintype jobs` and `tintype upload` as processes.
struct JobCommandTests {
    private static let jobs = [Sample.job("k3v9qa2m", rule: "site"), Sample.job("b2"), Sample.job("c3", rule: "site")]

    @Sendable private static func answer(_ request: FakeDaemon.Request) -> FakeDaemon.Reply {
        switch (request.method, request.target) {
        case ("GET", "/v1/jobs"): .json(JobList(jobs: jobs, worker: true))
        case ("DELETE", _): .http(204, [:], [])
        default: .json(Sample.job("b2") { ($0.state, $0.waiting) = (.paused, 3) })
        }
    }

    @Test(arguments: [
        ("pause b2", ["POST /v1/jobs/b2/pause"]), ("resume b2 b2", ["POST /v1/jobs/b2/resume"]),
        ("retry site b2", ["POST /v1/jobs/k3v9qa2m/retry", "POST /v1/jobs/c3/retry", "POST /v1/jobs/b2/retry"]),
        ("cancel b2", ["POST /v1/jobs/b2/cancel"]), ("delete b2", ["DELETE /v1/jobs/b2"]),
        ("priority b2 -5", ["PATCH /v1/jobs/b2"]),
    ])
    func `jobs are changed by id, or by the name of their rule`(arguments: String, requests: [String]) async throws {
        try await BuiltCommand.asking(Self.answer) { command, daemon in
            let outcome = try await command.shell("$T jobs \(arguments)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let line = arguments.hasPrefix("delete") ? "" : "b2: paused, 3 wait\n"
            #expect(outcome.text == String(repeating: line, count: requests.count))
            #expect(daemon.log.requests.map { "\($0.method) \($0.target)" } == ["GET /v1/jobs"] + requests)
            guard arguments.hasPrefix("priority") else { return }
            #expect(daemon.log.requests.last?.body == Array(#"{"priority":-5}"#.utf8))
        }
    }

    @Test func `an unknown job is an error, and nothing is changed`() async throws {
        try await BuiltCommand.asking(Self.answer) { command, daemon in
            let outcome = try await command.run("jobs", "pause", "b2", "nobody")
            #expect(outcome.status == ProblemCode.notFound.exitStatus)
            #expect(outcome.errors.contains("There is no job “nobody”."))
            #expect(daemon.log.requests.count == 1)
        }
    }

    @Test func `jobs are listed as a table or as JSON`() async throws {
        try await BuiltCommand.asking(Self.answer) { command, _ in
            let table = try await command.run("jobs")
            #expect(table.text.hasPrefix("ID "))
            #expect(table.text.split(separator: "\n").count == 4)
            #expect(try await command.run("jobs", "--json").read(JobList.self).jobs == Self.jobs)
        }
    }

    @Test func `following prints a line for each job that has changed`() async throws {
        let asked = Mutex(0)
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { _ in
            let count = asked.withLock { count in
                count += 1
                return count
            }
            return .json(
                JobList(
                    jobs: [Sample.job("a1") { $0.bytes = count }, Sample.job("b2") { $0.done = count / 2 }],
                    worker: true
                )
            )
        }
        try await BuiltCommand.asking(answer) { command, _ in
            async let outcome = command.shell("echo $$ > pid; exec $T jobs --follow")
            try await eventually("third look") { asked.withLock { $0 } > 3 }
            let text = String(decoding: try command.bytes("pid"), as: UTF8.self)
            kill(try #require(pid_t(text.split(separator: "\n")[0])), SIGTERM)
            let lines = try await outcome.text.split(separator: "\n").map { String($0) }
            #expect(lines.starts(with: ["a1: pending", "b2: pending", "b2: pending, 1 done"]))
        }
    }

    @Test(arguments: [(JobState.done, CInt(0)), (.failed, 1), (.cancelled, 1)])
    func `waiting ends with the job, with a status that tells how`(state: JobState, status: CInt) async throws {
        let asked = Mutex(0)
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { request in
            if request.target == "/v1/jobs" { return .json(JobList(jobs: [Sample.job("b2")], worker: true)) }
            let isOver = asked.withLock { count in
                count += 1
                return count > 1
            }
            return .json(Sample.job("b2") { $0.state = isOver ? state : .running })
        }
        try await BuiltCommand.asking(answer) { command, _ in
            let outcome = try await command.run("jobs", "wait", "b2")
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.text == "b2: \(state.rawValue)\n")
        }
    }

    @Test func `waiting for a rule ends when none of its pictures waits`() async throws {
        try await BuiltCommand.asking(Self.answer) { command, daemon in
            let outcome = try await command.run("jobs", "wait", "site")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.split(separator: "\n").count == 2)
            #expect(daemon.log.requests.count == 1)
        }
    }

    @Test func `an upload is a job, whose id is printed`() async throws {
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { _ in
            .json(Sample.job("b2"), status: 201)
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            let options = "--order newest --limit 2M --record --spool main --priority -5"
            let outcome = try await command.shell("$T upload --where camera:front --to 's3:bucket/{id}' \(options)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "b2\n")
            let request = try #require(daemon.log.requests.first)
            #expect("\(request.method) \(request.target)" == "POST /v1/jobs")
            let job = try WireFormat.decode(JobRequest.self, from: request.body)
            var options2 = UploadOptions(to: "s3:bucket/{id}")
            (options2.order, options2.limit, options2.record) = (.newest, 2 << 20, true)
            #expect(job.options == options2)
            #expect(job.filter == (try FrameFilter(parsing: "camera:front")))
            #expect(job.spool == "main" && job.priority == -5)
        }
    }

    @Test(arguments: [
        ("--where 'all()' --to 's3:bucket/{camera}'", "gives several pictures one name"),
        ("--to 's3:bucket/{id}'", "--where FILTER"), ("--where 'all()'", "--to"),
        ("--where 'all()' --to 's3:b/{id}' --limit 5", "is not a number of bytes"),
    ])
    func `an upload without pictures or names of their own is refused`(
        arguments: String,
        sentence: String
    ) async throws {
        let outcome = try await BuiltCommand.alone.shell("$T upload \(arguments)")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }
}
