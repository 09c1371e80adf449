// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool

/// A spool, as far as ``Frames`` asks it; each call returns by its deadline, whatever the disk does.
protocol FrameStore: Sendable {
    /// Its name, unique among the daemon's spools.
    var name: String { get }
    /// Its folder, from the root.
    var folder: String { get }
    /// Whether it takes pictures.
    var state: SpoolState { get }
    /// The weaker promise of its file system; nil if it keeps all.
    var limit: SpoolLimit? { get }
    /// The room of its file system when it was last measured; nil before that.
    var room: SpoolRoom? { get }
    /// How far a comparison of folder and catalog is; nil where none goes on.
    var verification: VerificationProgress? { get }

    func frame(_ id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> FrameRecord
    func picture(of id: FrameID, until deadline: MonotonicTime) async throws(Problem) -> [UInt8]
    func thumbnail(of id: FrameID, width: Int, until deadline: MonotonicTime) async throws(Problem) -> [UInt8]
    func frames(_ query: FrameQuery, until deadline: MonotonicTime) async throws(Problem) -> FramePage
    func change(_ change: FrameChange, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome
    func delete(_ selection: FrameSelection, until deadline: MonotonicTime) async throws(Problem) -> FrameOutcome
    func statistics(until deadline: MonotonicTime) async throws(Problem) -> SpoolStatistics
    func verify(deep: Bool, until deadline: MonotonicTime) async throws(Problem) -> VerificationReport
    func retention(
        dryRun: Bool,
        confirm: Bool,
        until deadline: MonotonicTime
    ) async throws(Problem) -> RetentionReport
}

extension Spool: FrameStore {
    func retention(
        dryRun: Bool,
        confirm: Bool,
        until deadline: MonotonicTime
    ) async throws(Problem) -> RetentionReport {
        try await retention(dryRun: dryRun, confirm: confirm, at: nil, until: deadline)
    }
}
