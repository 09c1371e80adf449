// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Returns an upload rule with a filter, by default for all pictures.
func upload(_ name: String = "site", _ filter: String = "", priority: Int = 0) throws -> UploadRule {
    UploadRule(name: name, filter: try FrameFilter(parsing: filter), target: "s3:bucket", priority: priority)
}

/// Returns the order to upload the pictures that match a filter, by default all.
func order(_ filter: String = "", priority: Int = 0) throws -> JobRequest {
    var request = JobRequest(try FrameFilter(parsing: filter), UploadOptions(to: "s3:bucket/{id}"))
    request.priority = priority
    return request
}

extension WorkReport.Failure {
    init(_ id: FrameID, isFinal: Bool = false) { self.init(id: id, error: "The server is away.", isFinal: isFinal) }
}

extension SpoolFolder {
    /// Returns a configuration of a spool in this folder with these rules.
    func configuration(
        uploads: [UploadRule],
        _ retention: RetentionSettings = RetentionSettings()
    ) -> SpoolStore.Configuration {
        var configuration = configuration(retention)
        configuration.uploads = uploads
        return configuration
    }

    /// Returns the frames of the deliveries that match an SQL condition.
    func deliveries(where condition: String = "true") throws -> [FrameID] {
        let frames = "SELECT frame AS id FROM delivery WHERE \(condition) ORDER BY frame"
        return try sql("SELECT \(idText) FROM (\(frames))").map { try #require(FrameID($0), "\($0)") }
    }
}

extension SpoolStore {
    /// Returns the job of a rule.
    func job(_ rule: String = "site") async throws -> Job {
        try #require(try await jobs(until: soon).first { $0.rule == rule })
    }

    func batch(
        _ job: Job,
        _ order: FrameOrder = .oldest,
        limit: Int = 50,
        at now: Timestamp = noon
    ) async throws -> [FrameID] {
        try await nextBatch(ofJob: job.id, order: order, limit: limit, at: now, until: soon).map(\.id)
    }

    @discardableResult
    func record(
        _ job: Job,
        done: [FrameID] = [],
        failures: [WorkReport.Failure] = [],
        deletes: Bool = false,
        at now: Timestamp = noon
    ) async throws -> Job {
        let job = try await recordDeliveries(
            ofJob: job.id,
            done: done,
            failures: failures,
            deletes: deletes,
            at: now,
            until: soon
        )
        return try #require(job)
    }
}
