// SPDX-License-Identifier: Apache-2.0

/// State of a job; docs/reference/jobs.md has the same table.
package enum JobState: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Waits for the worker, for its turn, for its hours, or for the next attempt.
    case pending
    /// The worker has a batch of its pictures; not stored, since a restart of the daemon ends every batch.
    case running
    case paused
    /// All pictures are delivered; only for a job that was asked for.
    case done
    /// The target refuses everything until something is corrected, or some pictures are refused for good.
    case failed
    case cancelled

    package enum Event: String, CaseIterable, Sendable {
        /// The worker gets a batch.
        case begin
        /// The batch has ended, and others wait.
        case yield
        case finish
        case fail
        case pause
        case resume
        case cancel
        case retry
    }

    /// The only place where states follow each other; nil for an event that the state refuses.
    package func next(after event: Event) -> JobState? {
        switch (self, event) {
        case (.pending, .begin): .running
        case (.running, .yield): .pending
        case (.pending, .finish), (.running, .finish): .done
        case (.pending, .fail), (.running, .fail): .failed
        case (.pending, .pause), (.running, .pause): .paused
        case (.paused, .resume), (.failed, .retry), (.pending, .retry), (.done, .retry): .pending
        case (.pending, .cancel), (.running, .cancel), (.paused, .cancel), (.failed, .cancel): .cancelled
        default: nil
        }
    }

    /// True if the job keeps pictures waiting; its deliveries keep pictures with `keepUntil: uploaded`.
    package var isOpen: Bool { self != .done && self != .cancelled }
}
