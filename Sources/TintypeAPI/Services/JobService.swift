// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Jobs of all spools, and the worker that does them.
///
/// No call waits for a disk beyond its own deadline. Calls throw `spool-unavailable` or `deadline-exceeded` if a spool
/// that they need does not answer, and `not-found` for an unknown spool or job. A job is named by its id, or by the name
/// of its rule if that has one job only.
package protocol JobService: Sendable {
    /// Throws only if no spool answers.
    func jobs() async throws(Problem) -> JobList
    func job(_ name: String) async throws(Problem) -> Job
    /// Returns once all pictures of the job are noted on the disk.
    func add(_ request: JobRequest) async throws(Problem) -> Job
    /// Makes the job of a film, in the spool of the request or else of its camera.
    func addFilm(_ request: FilmRequest) async throws(Problem) -> Job
    /// Throws what `permit` throws for the job, and `configuration-conflict` for an event that the state refuses.
    func change(
        _ name: String,
        by event: JobState.Event,
        if permit: (Job) throws(Problem) -> Void
    ) async throws(Problem) -> Job
    func setPriority(_ priority: Int, of name: String) async throws(Problem) -> Job
    /// Throws `configuration-conflict` for a rule, and for a job that has not ended.
    func delete(_ name: String) async throws(Problem)
    /// Faults of jobs as of the last look at the spools; never waits for a disk.
    func conditions() -> [HealthReason]

    // The calls of the worker throw `not-found` for a batch that is not claimed any more.

    /// Connects the worker; throws `configuration-conflict` while another one is connected.
    func connect(_ client: String) throws(Problem) -> any WorkSession
    /// File of a claimed picture, film or clip.
    func file(of frame: FrameID, in batch: String) async throws(Problem) -> StoredFile
    /// Next pictures of a film, oldest first; the worker may then read these, and no longer those of the page before.
    func pictures(of batch: String, after cursor: FrameCursor?) async throws(Problem) -> FramePage
    /// Whole frames of the recording of a clip, as SMJPEG.
    func recording(of batch: String) async throws(Problem) -> StoredFile
    /// Writes the next part of the finished film or clip; 0 begins anew, and a gap is `invalid-request`.
    func receive(_ bytes: [UInt8], at offset: Int, of batch: String) async throws(Problem)
    /// Returns once the deliveries, or the film or clip, are on the disk.
    func report(_ report: WorkReport, on batch: String) async throws(Problem)
}

/// Orders for one worker; its release ends it too.
package protocol WorkSession: AnyObject, Sendable {
    /// The next order, one to be idle after five seconds; nil at the end, and in a cancelled task. For one task.
    func next() async -> WorkOrder?

    /// Ends all claims of the worker.
    func end()
}
