// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Row of a job, without the members of ``Job`` that its deliveries tell.
@dynamicMemberLookup
struct JobRow: Equatable, Sendable {
    var job: Job
    /// ``UploadOptions``, ``FilmRequest`` or ``ClipOptions`` as JSON, perhaps with secrets; nil for a rule, whose
    /// options are in the configuration.
    var options: String?

    init(_ job: Job, options: String? = nil) { (self.job, self.options) = (job, options) }

    init(_ job: Job, encoding options: some Encodable) {
        self.init(job, options: (try? WireFormat.encode(options)).map { String(decoding: $0, as: UTF8.self) })
    }

    func options<Options: Decodable>(_ type: Options.Type) throws(Problem) -> Options {
        try WireFormat.decode(type, from: (options ?? "").utf8)
    }

    subscript<Value>(dynamicMember field: WritableKeyPath<Job, Value>) -> Value {
        get { job[keyPath: field] }
        set { job[keyPath: field] = newValue }
    }

    // MARK: - States

    /// The row after an event that a client or a worker causes; throws `configuration-conflict` if it is refused.
    func after(_ event: JobState.Event, error: String? = nil, at now: Timestamp) throws(Problem) -> JobRow {
        var row = self
        if event == .begin || event == .yield {
            row.error = error ?? self.error
            return row
        }
        // Only the configuration ends a rule; a recording is removed with the end of its job.
        let isEnded = self.kind != .upload && self.state == .done
        let isForbidden = self.rule != nil && (event == .cancel || event == .finish) || isEnded
        guard !isForbidden, let next = self.state.next(after: event) else { throw refusal(of: event) }
        row.state = next
        row.endedAt = next == .done || next == .failed || next == .cancelled ? now : nil
        row.error = event == .finish || event == .retry ? nil : error ?? self.error
        return row
    }

    /// The row after its last delivery, if none waits: done, or failed if a picture was not delivered.
    func settled(_ deliveries: Deliveries, at now: Timestamp) throws(Problem) -> JobRow {
        guard self.rule == nil, self.state == .pending, deliveries.waiting == 0 else { return self }
        guard deliveries.failed > 0 || self.lost > 0 else { return try after(.finish, at: now) }
        let error =
            deliveries.failed > 0
            ? "\(CountText.text(deliveries.failed, "picture")) could not be delivered."
            : "\(CountText.text(self.lost, "picture")) had been deleted before the delivery."
        return try after(.fail, error: self.error ?? error, at: now)
    }

    /// The row of a rule that was removed from the configuration.
    func cancelled(at now: Timestamp) -> JobRow {
        var row = self
        (row.state, row.endedAt) = (.cancelled, now)
        return row
    }

    private func refusal(of event: JobState.Event) -> Problem {
        if self.rule != nil, event == .cancel { return .isRule(job, "cancelled") }
        let remedy =
            switch self.state {
            case .paused: "Resume it first (tintype jobs resume \(self.id))."
            case .failed: "Start it again first (tintype jobs retry \(self.id))."
            case .done, .cancelled:
                self.kind == .upload ? "Order the upload again (tintype upload)." : "Ask for it again."
            case .pending, .running: "It needs none of that."
            }
        return conflict("is \(self.state.rawValue): the command \(event.rawValue) does not apply.", remedy)
    }

    func conflict(_ detail: String, _ remedy: String) -> Problem {
        Problem(.configurationConflict, "The job “\(self.id)” \(detail)", remedy: remedy)
    }

    // MARK: - Deliveries

    struct Deliveries {
        let waiting: Int
        let failed: Int
        /// Largest number of attempts of a picture that waits.
        let attempts: Int
        /// Time of the first attempt if all pictures that wait have failed before; 1970 for one that is due.
        let next: Timestamp?
        /// Capture time of the first picture that waits.
        let oldest: Timestamp?
    }

    /// In constant time but for the pictures that wait after a failed attempt.
    func deliveries(_ database: Database, at now: Timestamp) throws -> Deliveries {
        guard self.kind == .upload else {
            return Deliveries(waiting: self.state.isOpen ? 1 : 0, failed: 0, attempts: 0, next: nil, oldest: nil)
        }
        func count(_ state: String) -> String {
            "ifnull((SELECT count FROM temp.deliveryCount WHERE job = ?1 AND state = '\(state)'), 0) AS \(state)"
        }
        let sql = """
            SELECT \(count("pending")), \(count("failed")), (
                SELECT capturedAt FROM frame WHERE id = (
                    SELECT frame FROM delivery INDEXED BY delivery_pending WHERE job = ?1 AND state = 'pending'
                        ORDER BY frame LIMIT 1
                )
            ) AS oldest, tried.* FROM (
                SELECT count(*) AS tried, ifnull(max(attempts), 0) AS attempts,
                    min(iif(next > ?2, 0, next)) AS next
                    FROM delivery INDEXED BY delivery_tried WHERE job = ?1 AND state = 'pending' AND attempts > 0
            ) AS tried
            """
        let latest = now + Job.longestPause
        let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [self.id, latest.microseconds])
        let checked = CheckedRow(row ?? Row())
        let waiting = try checked.int("pending", in: 0...Int.max)
        return Deliveries(
            waiting: waiting,
            failed: try checked.int("failed", in: 0...Int.max),
            attempts: try checked.int("attempts", in: 0...Int.max),
            next: try checked.int("tried", in: 0...Int.max) < waiting ? nil : try checked.optionalMoment("next"),
            oldest: try checked.optionalMoment("oldest")
        )
    }

    /// The job of the spool called `name`, with the counts of its deliveries at `now`.
    func job(in name: String, at now: Timestamp, _ database: Database) throws -> Job {
        let deliveries = try deliveries(database, at: now)
        var job = job
        (job.spool, job.waiting, job.failed) = (name, deliveries.waiting, deliveries.failed)
        (job.attempts, job.oldest) = (deliveries.attempts, deliveries.oldest)
        job.nextAttempt = deliveries.next.flatMap { $0 > now ? $0 : nil }
        if job.state != .done { job.frame = nil }
        if job.rule == nil {
            let all = job.waiting + job.done + job.failed + job.lost
            job.progress = all == 0 ? 1 : Double(job.done) / Double(all)
        }
        return job
    }
}

extension JobRow: PersistableRecord, FetchableRecord {
    static let databaseTableName = "job"
    /// Upper limit of each count, low enough that no sum overflows.
    private static let most = 1 << 50

    /// Reads a row; throws SQLITE_CORRUPT for values that tintyped never writes.
    init(row: Row) throws {
        let checked = CheckedRow(row)
        job = Job(
            id: try checked.value("id") { $0.isEmpty ? nil : $0 },
            rule: String.fromDatabaseValue(checked["rule"]),
            spool: "",
            source: try checked.value("source") { $0 },
            target: try checked.value("target") { $0 },
            createdAt: try checked.moment("createdAt")
        )
        options = String.fromDatabaseValue(checked["options"])
        job.kind = try checked.value("kind", Job.Kind.init)
        job.state = try checked.value("state") { $0 == JobState.running.rawValue ? nil : JobState(rawValue: $0) }
        job.priority = try checked.int("priority", in: Job.priorityRange)
        job.endedAt = try checked.optionalMoment("endedAt")
        job.lastSuccess = try checked.optionalMoment("lastSuccess")
        job.done = try checked.int("done", in: 0...Self.most)
        job.bytes = try checked.int("bytes", in: 0...Self.most)
        job.lost = try checked.int("lost", in: 0...Self.most)
        job.error = String.fromDatabaseValue(checked["error"])
        job.camera = String.fromDatabaseValue(checked["camera"])
        job.frame = checked["frame"].isNull ? nil : try checked.id("frame")
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = job.id
        container["kind"] = job.kind.rawValue
        container["rule"] = job.rule
        container["source"] = job.source
        container["target"] = job.target
        container["options"] = options
        container["state"] = job.state.rawValue
        container["priority"] = job.priority
        container["createdAt"] = job.createdAt.microseconds
        container["endedAt"] = job.endedAt?.microseconds
        container["lastSuccess"] = job.lastSuccess?.microseconds
        container["done"] = job.done
        container["bytes"] = job.bytes
        container["lost"] = job.lost
        container["error"] = job.error
        container["camera"] = job.camera
        container["frame"] = job.frame?.databaseValue
    }
}
