// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Synchronization
internal import TintypeModel

/// Settings of the worker that all batches share.
final class WorkSettings: Sendable {
    /// Configuration of rclone; nil for its own default.
    let config: String?
    let cache: String
    /// Random id of the worker that uses the cache.
    let worker: String
    /// Remotes of rclone, by name and state of the configuration: true for one that needs temporary names.
    let remotes = Mutex<[String: Bool]>([:])

    init(config: String?, cache: String) throws {
        (self.config, self.cache) = (config, cache)
        worker = try OutputError.naming("write to", cache, try WorkFolder.worker(in: cache))
    }

    /// Time of the last change of the configuration.
    var written: Date? {
        config.flatMap { try? FileManager.default.attributesOfItem(atPath: $0)[.modificationDate] as? Date }
    }
}

/// A batch on its way: fetches its pictures from the daemon, uploads them or makes a film, and reports results.
final class Batch: Sendable {
    let id: String
    let job: String
    private let order: WorkOrder
    let settings: WorkSettings
    let client: ControlClient
    private let results = Mutex(BatchResults())

    /// Most bytes that are fetched before they are uploaded, except for a picture that is larger.
    static let share = 64 << 20
    /// A film or clip is given up without a request for a minute: one report in 20 is sent without news.
    private static let reportPause = Duration.milliseconds(500)
    /// Limit of the last report of a batch that was stopped.
    private static let lastReport = Duration.milliseconds(400)

    private enum Reply {
        case noted
        /// The daemon has given the batch up.
        case gone
        case lost
    }

    /// Nil for an order that lacks fields, or whose ids are no names of folders.
    init?(_ order: WorkOrder, _ settings: WorkSettings, _ client: ControlClient) {
        guard let id = order.batch, let job = order.job else { return nil }
        guard [id, job].allSatisfy({ $0.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil }) else { return nil }
        (self.id, self.job, self.order, self.settings, self.client) = (id, job, order, settings, client)
    }

    /// Returns when the batch is over, reported, and has no process; cancellation stops it.
    func run() async {
        let failure = await withTaskGroup(of: BatchFailure?.self) { group in
            group.addTask { await self.perform() }
            group.addTask {
                var count = 0
                repeat {
                    count += 1
                    guard (try? await Task.sleep(for: Self.reportPause)) != nil else { break }
                } while await self.report(isDue: self.order.video != nil && count.isMultiple(of: 20)) != .gone
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            // Only the work has a failure.
            return await group.reduce(first ?? nil) { $0 ?? $1 }
        }
        note { $0.end(failure) }
        // The daemon holds the claims of a batch until it knows of its end.
        while await report(within: Task.isCancelled ? Self.lastReport : nil) == .lost, !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
        }
    }

    func note<Value: Sendable>(_ body: (inout BatchResults) -> Value) -> Value { results.withLock { body(&$0) } }

    private func report(within limit: Duration? = nil, isDue: Bool = false) async -> Reply {
        guard let report = note({ $0.next(isDue: isDue) }) else { return .noted }
        do {
            // In a task that is not cancelled: a report that arrives must not be sent again.
            try await Task { try await client.report(report, ofBatch: id, within: limit) }.value
        } catch {
            note { $0.restore(report) }
            return (error as? Problem)?.code == .notFound ? .gone : .lost
        }
        return .noted
    }

    private func perform() async -> BatchFailure? {
        do {
            let folder = WorkFolder(path: "\(WorkFolder.parent(in: settings.cache))/\(id)")
            defer { folder.remove() }
            if let video = order.video {
                try await VideoBatch(batch: self, order: video, folder: folder).run()
            } else if let options = order.upload, let pictures = order.pictures {
                try await upload(pictures, options, in: folder)
            }
            return nil
        } catch let failure as BatchFailure {
            return failure
        } catch {
            let failure = (error as? SystemError).map { OutputError("write to", settings.cache, $0) }
            let detail =
                failure?.detail ?? (error as? Problem)?.detail ?? (error as? ClientError)?.detail
                ?? (error as? OutputError)?.detail
            return Task.isCancelled ? nil : BatchFailure(error: detail ?? "\(error)")
        }
    }

    private func upload(_ pictures: [WorkPicture], _ options: UploadOptions, in folder: WorkFolder) async throws {
        let target: UploadTarget
        do throws(UploadTarget.Fault) {
            target = try UploadTarget(options.to)
        } catch {
            throw BatchFailure(error: "The target \(error.detail) \(error.remedy)", isFatal: true)
        }
        switch target.means {
        case .rclone: try await RcloneBatch(self, target, options, folder).run(pictures)
        case .http: try await CurlUpload.run(self, pictures, to: target, options, folder)
        }
    }

    /// Fetches a picture into a file, and returns its size; nil if there is no such file or picture, which is noted.
    func fetch(_ picture: WorkPicture, as name: String, to folder: WorkFolder) async throws -> Int? {
        try await write(name, of: picture, to: folder) {
            try await client.file(of: picture.id, inBatch: id, each: $0)
        }
    }

    /// Makes a file, and returns its size; nil for a picture that is gone, or whose file cannot have the name.
    func write(
        _ name: String,
        of picture: WorkPicture,
        to folder: WorkFolder,
        _ fill: (_ each: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws -> Int? {
        do {
            return try await folder.write(name, capturedAt: picture.capturedAt, fill)
        } catch let problem as Problem where problem.isOfPicture {
            note { $0.refused(picture.id, problem.detail) }
        } catch let error as SystemError where error.isOfName {
            note { $0.refused(picture.id, "The name \(name) is too long, or that of another picture.") }
        }
        return nil
    }
}

extension Problem {
    /// The picture is gone, or its file is damaged.
    var isOfPicture: Bool { code == .frameNotFound || code == .corruptOnly }
}

/// Results of a batch since its last report.
///
/// A failure is reported once a later picture of the batch succeeds, else with the end of the batch: the target may be
/// away then, and the daemon lets the pictures keep their places in the order until some batches have failed.
struct BatchResults {
    /// Number of failures in a row after which a batch ends.
    static let patience = 2

    private var report = WorkReport()
    private var hasChanged = false
    private var delivered: Set<FrameID> = []
    /// Failures since the last success.
    private var doubtful: [WorkReport.Failure] = []

    /// Most bytes of an error: a report with 50 of them is below 64 KiB.
    private static let longest = 500

    var isTargetAway: Bool { doubtful.count >= Self.patience }

    mutating func delivered(_ picture: FrameID) {
        doubtful.removeAll { $0.id == picture }
        confirmTarget()
        guard delivered.insert(picture).inserted else { return }
        report.done.append(picture)
        hasChanged = true
    }

    /// The target has accepted something after the failures before.
    mutating func confirmTarget() {
        hasChanged = hasChanged || !doubtful.isEmpty
        report.failures += doubtful
        doubtful = []
    }

    mutating func failed(_ picture: FrameID, _ error: String) {
        guard !doubtful.contains(where: { $0.id == picture }) else { return }
        doubtful.append(WorkReport.Failure(id: picture, error: Self.sentence(error), isFinal: false))
    }

    /// Notes a failure that no other attempt can change.
    mutating func refused(_ picture: FrameID, _ error: String) {
        report.failures.append(WorkReport.Failure(id: picture, error: Self.sentence(error), isFinal: true))
        hasChanged = true
    }

    mutating func sent(_ bytes: Int) {
        guard bytes > report.bytes else { return }
        report.bytes = bytes
        hasChanged = true
    }

    /// `part` of the film or clip is done, from 0 to 1.
    mutating func progressed(to part: Double) {
        report.progress = part
        hasChanged = true
    }

    /// The daemon has the file of the film or clip.
    mutating func made(_ video: VideoResult) { report.video = video }

    mutating func end(_ failure: BatchFailure?) {
        report.isOver = true
        report.error = (failure?.error ?? doubtful.last?.error).map(Self.sentence)
        report.isFatal = failure?.isFatal ?? false
        confirmTarget()
        hasChanged = true
    }

    /// Changes since the last call; nil if there are none, unless a report is due.
    mutating func next(isDue: Bool = false) -> WorkReport? {
        guard hasChanged || isDue else { return nil }
        defer {
            report.done = []
            report.failures = []
            hasChanged = false
        }
        return report
    }

    /// Keeps a report that did not arrive, or was refused, for the next one.
    mutating func restore(_ lost: WorkReport) {
        report.done = lost.done + report.done
        report.failures = lost.failures + report.failures
        hasChanged = true
    }

    /// One line of a limited length, without user and query of an address: they may be secret.
    private static func sentence(_ text: String) -> String {
        let line = text.split { $0.isWhitespace || $0 < " " }.joined(separator: " ")
            .replacing(/:\/\/[^\/\s"]*@/, with: "://…@").replacing(/\?[^\s"]+/, with: "?…")
        return String(decoding: line.utf8.prefix(longest), as: UTF8.self)
    }
}

/// Reason why a batch ends early.
struct BatchFailure: Error, Hashable {
    let error: String
    /// True if nothing can be done before something is corrected.
    var isFatal = false

    /// Failure of a job that waits for the remedy, without its full stop.
    static func until(_ remedy: String, _ error: String, _ job: String) -> BatchFailure {
        BatchFailure(error: "\(error) \(remedy), then “tintype jobs retry \(job)”.", isFatal: true)
    }

    static func missing(_ program: String, _ job: String) -> BatchFailure {
        until("Install it (sudo apt install \(program))", "\(program) is not installed.", job)
    }
}
