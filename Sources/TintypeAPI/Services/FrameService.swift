// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The calls that the HTTP API makes on the spools.
///
/// No call may wait for a disk longer than its own deadline; the API adds none. Each throws `spool-unavailable` or
/// `deadline-exceeded` where a spool that it needs does not answer, besides what is said there.
package protocol FrameService: Sendable {
    /// The record of a stored frame.
    ///
    /// Throws `frame-not-found`.
    func frame(_ id: FrameID) async throws(Problem) -> FrameRecord

    /// The JPEG file of a stored frame.
    ///
    /// Throws `frame-not-found`.
    func picture(of id: FrameID) async throws(Problem) -> [UInt8]

    /// The picture of a stored frame as a JPEG file of at most `width` pixels a row, of ``ThumbnailWidth/range``.
    ///
    /// Throws `frame-not-found`, and `corrupt-only` or `configuration-unsupported` where none can be made of it.
    func thumbnail(of id: FrameID, width: Int) async throws(Problem) -> [UInt8]

    /// A page of the frames that fit.
    func frames(_ query: FrameQuery) async throws(Problem) -> FramePage

    /// Those of these frames that `filter` fits; a spool is waited for only where the others do not have all of them.
    func frames(_ ids: Set<FrameID>, fitting filter: FrameFilter) async throws(Problem) -> Set<FrameID>

    /// Changes frames, and tells which of the ids are of none; returns once that is on the disk.
    ///
    /// The outcome has the frames that could not be changed, too: it throws only if a spool does not answer and nothing
    /// was done.
    func change(_ change: FrameChange) async throws(Problem) -> FrameOutcome

    /// Deletes frames for good, and tells which of the ids are of none; returns once that is on the disk.
    ///
    /// The outcome has the frames that could not be deleted, too: it throws only if a spool does not answer and nothing
    /// was done.
    func delete(_ selection: FrameSelection) async throws(Problem) -> FrameOutcome

    /// How every spool is, and what is in it; one that does not answer within `limit` is there without its statistics.
    func spools(within limit: Duration) async -> [SpoolReport]

    /// How every spool is, without its statistics.
    ///
    /// Never waits for a disk.
    func conditions() -> [SpoolReport]

    /// Compares folder and catalog and brings them into agreement, which may take as long as reading all pictures.
    ///
    /// Spools that do not answer are named, unless none does. Throws `not-found` for the name of no spool.
    func verify(_ request: VerificationRequest) async throws(Problem) -> VerificationList

    /// Applies the rules of retention, or tells what they would do.
    ///
    /// Spools that do not answer are named, unless none does. Throws `not-found` for the name of no spool.
    func retention(_ request: RetentionRequest) async throws(Problem) -> RetentionList
}

extension FrameService {
    /// The same, for a client that waits: 10 s at most.
    package func spools() async -> [SpoolReport] { await spools(within: .seconds(10)) }
}
