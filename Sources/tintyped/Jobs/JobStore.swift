// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// A spool as used by ``JobScheduler``; each call returns by its deadline, even if the disk hangs.
protocol JobStore: Sendable {
    var name: String { get }

    func jobs(until deadline: MonotonicTime) async throws(Problem) -> [Job]
    func addJob(_ request: JobRequest, until deadline: MonotonicTime) async throws(Problem) -> Job
    /// `finish` ends a job without waiting pictures as done, or failed if a picture was not delivered.
    func changeJob(
        _ id: String,
        by event: JobState.Event,
        error: String?,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job
    func setPriority(_ priority: Int, ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> Job
    func deleteJob(_ id: String, until deadline: MonotonicTime) async throws(Problem)
    /// Options of a job that was asked for; nil for a rule.
    func uploadOptions(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> UploadOptions?
    func nextBatch(
        ofJob id: String,
        order: FrameOrder,
        limit: Int,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> [WorkPicture]
    func recordDeliveries(
        ofJob id: String,
        done: [FrameID],
        failures: [WorkReport.Failure],
        deletes: Bool,
        at now: Timestamp,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job?
    func picture(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> [UInt8]
}

extension SpoolStore: JobStore {}
