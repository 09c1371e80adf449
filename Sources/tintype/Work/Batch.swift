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

/// A batch on its way: fetches its pictures from the daemon, uploads them, and reports results.
final class Batch: Sendable {
    let id: String
    let job: String
    let options: UploadOptions
    let pictures: [WorkPicture]
    let settings: WorkSettings
    let client: ControlClient
    private let results = Mutex(BatchResults())

    /// Most bytes that are fetched before they are uploaded, except for a picture that is larger.
    static let share = 64 << 20
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
        guard let id = order.batch, let job = order.job, let upload = order.upload, let pictures = order.pictures,
            job.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil
        else { return nil }
        (self.id, self.job, options, self.pictures) = (id, job, upload, pictures)
        (self.settings, self.client) = (settings, client)
    }

    /// Returns when the batch is over, reported, and has no process; cancellation stops it.
    func run() async {
        let failure = await withTaskGroup(of: BatchFailure?.self) { group in
            group.addTask { await self.upload() }
            group.addTask {
                while (try? await Task.sleep(for: Self.reportPause)) != nil, await self.report() != .gone {}
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            // Only the upload has a failure.
            return await group.reduce(first ?? nil) { $0 ?? $1 }
        }
        note { $0.end(failure) }
        // The daemon holds the claims of a batch until it knows of its end.
        while await report(within: Task.isCancelled ? Self.lastReport : nil) == .lost, !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
        }
    }

    func note<Value: Sendable>(_ body: (inout BatchResults) -> Value) -> Value { results.withLock { body(&$0) } }

    private func report(within limit: Duration? = nil) async -> Reply {
        guard let report = note({ $0.next() }) else { return .noted }
        do {
            // In a task that is not cancelled: a report that arrives must not be sent again.
            try await Task { try await client.report(report, ofBatch: id, within: limit) }.value
        } catch {
            note { $0.restore(report) }
            return (error as? Problem)?.code == .notFound ? .gone : .lost
        }
        return .noted
    }

    private func upload() async -> BatchFailure? {
        do {
            let folder = try WorkFolder(batch: id, in: settings.cache)
            defer { folder.remove() }
            let target: UploadTarget
            do throws(UploadTarget.Fault) {
                target = try UploadTarget(options.to)
            } catch {
                throw BatchFailure(error: "The target \(error.detail) \(error.remedy)", isFatal: true)
            }
            switch target.means {
            case .rclone: try await RcloneBatch(self, target, folder).run()
            case .http: try await post(to: target, in: folder)
            }
            return nil
        } catch let failure as BatchFailure {
            return failure
        } catch {
            let detail =
                (error as? Problem)?.detail ?? (error as? ClientError)?.detail ?? (error as? OutputError)?.detail
            return Task.isCancelled ? nil : BatchFailure(error: detail ?? "\(error)")
        }
    }

    /// Bytes of a picture; nil if it is gone, which is noted.
    func fetch(_ picture: WorkPicture) async throws -> [UInt8]? {
        do {
            return try await client.picture(picture.id, ofBatch: id)
        } catch let problem as Problem where problem.code == .frameNotFound || problem.code == .corruptOnly {
            note { $0.refused(picture.id, problem.detail) }
            return nil
        }
    }

    /// Writes a file of a picture; false if it has no name of its own, which is noted.
    func write(_ bytes: [UInt8], as name: String, of picture: WorkPicture, to folder: WorkFolder) throws -> Bool {
        do throws(SystemError) {
            try folder.write(name, bytes, capturedAt: picture.capturedAt)
            return true
        } catch  where error.isOfName {
            note { $0.refused(picture.id, "The name \(name) is too long, or that of another picture.") }
            return false
        } catch {
            throw OutputError("write to", folder.path, error)
        }
    }

    // MARK: - HTTP

    private func post(to target: UploadTarget, in folder: WorkFolder) async throws {
        guard let curl = ChildProgram.find("curl") else { throw BatchFailure.missing("curl") }
        let name = "picture.jpg"
        var sent = 0
        for picture in pictures {
            guard let bytes = try await fetch(picture) else { continue }
            guard try write(bytes, as: name, of: picture, to: folder) else { continue }
            defer { folder.remove(name) }
            let upload = CurlUpload(address: target.name(of: picture), options: options)
            let input = upload.input("\(folder.path)/\(name)", capturedAt: picture.capturedAt)
            var output: [String] = []
            let status = try await ChildProgram(path: curl, arguments: CurlUpload.arguments, input: input).run {
                output.append($0)
                return true
            }
            switch CurlUpload.outcome(status, output) {
            case .delivered:
                sent += bytes.count
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
