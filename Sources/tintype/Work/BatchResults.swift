// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Results of a batch since its last report.
///
/// A failure is reported once a later picture of the batch succeeds, else with the end of the batch: the target may be
/// away then, and the daemon lets the pictures keep their places in the order until some batches have failed.
struct BatchResults {
    /// Number of failures in a row after which a batch ends.
    static let patience = 2
    /// Number of attempts to send a part of a film or clip.
    static let attempts = 3

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
