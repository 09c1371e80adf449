// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Synchronization
internal import TintypeModel

/// Settings of the worker that all batches share.
final class WorkSettings: Sendable {
    struct Remote {
        let needsTemporaryNames: Bool
        /// State of the configuration that it is of.
        let written: Date?
    }

    /// Configuration of rclone; nil for its own default.
    let config: String?
    let cache: String
    /// Random id of the worker that uses the cache.
    let worker: String
    /// Remotes of rclone whose features are known.
    let remotes = Mutex<[String: Remote]>([:])

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

    /// Nil for an order that lacks fields.
    init?(_ order: WorkOrder, _ settings: WorkSettings, _ client: ControlClient) {
        guard let id = order.batch, let job = order.job, job.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
            return nil
        }
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
            let folder = try WorkFolder(batch: id, in: settings.cache)
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
        case .http: try await post(pictures, to: target, options, in: folder)
        }
    }

    /// Fetches a picture into a file, and returns its size; nil if there is no such file or picture, which is noted.
    func fetch(_ picture: WorkPicture, as name: String, to folder: WorkFolder) async throws -> Int? {
        try await noting(picture, name) {
            try await folder.write(name, capturedAt: picture.capturedAt) {
                try await client.file(of: picture.id, inBatch: id, each: $0)
            }
        }
    }

    /// Nil for a picture that is gone, or whose file cannot have the name, which is noted.
    func noting(_ picture: WorkPicture, _ name: String, _ write: () async throws -> Int) async throws -> Int? {
        do {
            return try await write()
        } catch let problem as Problem where problem.isOfPicture {
            note { $0.refused(picture.id, problem.detail) }
        } catch let error as SystemError where error.isOfName {
            note { $0.refused(picture.id, "The name \(name) is too long, or that of another picture.") }
        }
        return nil
    }

    // MARK: - HTTP

    private func post(
        _ pictures: [WorkPicture],
        to target: UploadTarget,
        _ options: UploadOptions,
        in folder: WorkFolder
    ) async throws {
        guard let curl = ChildProgram.find("curl") else { throw BatchFailure.missing("curl", job) }
        let name = "picture"
        var sent = 0
        for picture in pictures {
            let upload = CurlUpload(address: target.name(of: picture), options: options)
            if let reason = upload.refusal(of: picture) {
                note { $0.refused(picture.id, reason) }
                continue
            }
            guard let bytes = try await fetch(picture, as: name, to: folder) else { continue }
            defer { folder.remove(name) }
            let input = upload.input("\(folder.path)/\(name)", of: picture)
            var output: [String] = []
            let status = try await ChildProgram(path: curl, arguments: CurlUpload.arguments, input: input).run {
                output.append($0)
                return true
            }
            switch CurlUpload.outcome(status, output) {
            case .delivered:
                sent += bytes
                note {
                    $0.delivered(picture.id)
                    $0.sent(sent)
                }
            case .refused(let reason): note { $0.refused(picture.id, reason) }
            case .failed(let reason):
                note { $0.failed(picture.id, reason) }
                if note({ $0.isTargetAway }) { return }
            }
        }
    }
}

extension Problem {
    /// The picture is gone, or its file is damaged.
    var isOfPicture: Bool { code == .frameNotFound || code == .corruptOnly }
}
