// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool
internal import TintypeSystem

/// A spool as used by ``JobScheduler``; each call returns by its deadline, even if the disk hangs.
protocol JobStore: Sendable {
    var name: String { get }

    /// Of the jobs that are done or cancelled, the last ones up to `ended`.
    func jobs(ended: Int, until deadline: MonotonicTime) async throws(Problem) -> [Job]
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
    func file(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> StoredFile
    func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage

    /// With an id that a job has, returns that job.
    func addFilm(_ request: FilmRequest, id: String?, until deadline: MonotonicTime) async throws(Problem) -> Job
    func videoOrder(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> VideoOrder
    /// Pictures of a film, oldest first.
    func videoPictures(ofJob id: String, after: FrameCursor?, until: MonotonicTime) async throws(Problem) -> FramePage
    func recording(ofJob id: String, until deadline: MonotonicTime) async throws(Problem) -> StoredFile
    /// Writes the next part of a finished film or clip; offset 0 begins anew.
    func receive(_ bytes: [UInt8], at offset: Int, ofVideo job: String, until end: MonotonicTime) async throws(Problem)
    /// Stores the received film or clip as a frame; durable on return, as is the end of the job.
    func storeVideo(
        ofJob id: String,
        _ result: VideoResult,
        of pictures: FilmPictures,
        until deadline: MonotonicTime
    ) async throws(Problem) -> Job
}

extension SpoolStore: JobStore {}

/// Clips that are being recorded; any thread, and never waits for ``JobScheduler``.
protocol ClipRecordings: Sendable {
    /// True until the recording of the clip with the id of this job is over and its file closed.
    func isActive(_ id: String) -> Bool
    /// Applies `pause`, `resume` or `cancel`; no effect on a recording that is over.
    func apply(_ event: JobState.Event, _ id: String) async throws(Problem)
    /// Part of the time that is recorded, from 0 to 1; nil if it is over.
    func progress(_ id: String) -> Double?
}
