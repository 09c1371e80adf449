// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Jobs of all spools, and the worker that does them.
///
/// No call waits for a disk beyond its own deadline. Calls throw `spool-unavailable` or `deadline-exceeded` if a spool
/// that they need does not answer. A job is named by its id, or by the name of its rule if that has one job only.
package protocol JobService: Sendable {
    /// Throws only if no spool answers.
    func jobs() async throws(Problem) -> JobList

    /// Throws `not-found`.
    func job(_ name: String) async throws(Problem) -> Job

    /// Returns once all pictures of the job are noted on the disk; throws `not-found` for an unknown spool.
    func add(_ request: JobRequest) async throws(Problem) -> Job

    /// Throws `not-found`, or `configuration-conflict` for an event that the state refuses.
    func change(_ name: String, by event: JobState.Event) async throws(Problem) -> Job

    func setPriority(_ priority: Int, of name: String) async throws(Problem) -> Job

    /// Throws `configuration-conflict` for a rule, and for a job that has not ended.
    func delete(_ name: String) async throws(Problem)

    /// Faults of jobs as of the last look at the spools; never waits for a disk.
    func conditions() -> [HealthReason]

    /// Connects the worker; throws `configuration-conflict` while another one is connected.
    func connect(_ client: String) throws(Problem) -> any WorkSession

    /// JPEG file of a claimed picture; throws `not-found` or `frame-not-found`.
    func picture(of frame: FrameID, in batch: String) async throws(Problem) -> [UInt8]

    /// Returns once the deliveries are on the disk; throws `not-found` for a batch that is not claimed any more.
    func report(_ report: WorkReport, on batch: String) async throws(Problem)
}

/// Orders for one worker; its release ends it too.
package protocol WorkSession: AnyObject, Sendable {
    /// The next order, one to be idle after five seconds; nil at the end, and in a cancelled task. For one task.
    func next() async -> WorkOrder?

    /// Ends all claims of the worker.
    func end()
}
