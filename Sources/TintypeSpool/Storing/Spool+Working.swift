// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

extension Spool {
    /// Runs `work` on the storage thread, on the storage as it is then: another one after each opening, so that no
    /// caller keeps it.
    ///
    /// Opens the spool first where it is unavailable and another attempt is due. Throws what `work` throws, the reason
    /// while the spool is unavailable, `stopping` once it is closed, and `deadline-exceeded`; `spool-unavailable` where
    /// it is for one `opening`, and the spool was opened again since.
    func perform<Value: Sendable>(
        _ verb: String,
        in opening: UInt64? = nil,
        until deadline: MonotonicTime,
        _ work: @escaping @Sendable (Storage) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        guard deadline > clock.now else { throw Self.late(verb, folder) }
        guard !intake.isClosed else { throw Self.closed(folder) }
        let late = Self.late(verb, folder)
        return try await thread.perform(until: deadline, by: clock, otherwise: late) { [self] slot throws(Problem) in
            let storage = try self.storage(in: &slot)
            guard opening == nil || opening == storage.maintenance.opening else { throw Self.reopened(verb, folder) }
            do throws(Problem) {
                return try work(storage)
            } catch {
                noteFailure(error)
                throw error
            }
        }
    }

    /// The result of `beside`, of what a healthy catalog says, on `tt-read`, so that no store waits for it; where it has
    /// none, of `work` on the storage thread, which says what is wrong and puts it right.
    ///
    /// Throws what ``perform`` throws.
    func look<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        beside: @escaping @Sendable (CatalogReader) -> Value?,
        otherwise work: @escaping @Sendable (Storage) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        if deadline > clock.now, !intake.isClosed, !condition.isUnavailable, let reader = reader.withLock(\.self),
            let value = try await reader.thread.perform(
                until: deadline,
                by: clock,
                otherwise: Self.late(verb, folder),
                { _ in beside(reader) }
            )
        {
            return value
        }
        return try await perform(verb, until: deadline, work)
    }

    /// Does work of many steps that belong together, in one opening of the spool, each of them by ``perform`` in that.
    ///
    /// Where the spool is closed and opened again in between, it is started again: the catalog may be another one then,
    /// which knows nothing of what the steps before have found. Three times at most.
    func inOneOpening<Value: Sendable>(
        _ verb: String,
        until deadline: MonotonicTime,
        _ work: (UInt64) async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        var openings = 0
        while true {
            let opening = try await perform(verb, until: deadline) { storage in storage.maintenance.opening }
            do throws(Problem) {
                return try await work(opening)
            } catch {
                // A catalog that turned out to be damaged is set aside when the spool is opened again, behind this.
                openings += 1
                guard error.code == .spoolUnavailable, openings <= 3 else { throw error }
                let present = try await perform(verb, until: deadline) { storage in storage.maintenance.opening }
                guard present != opening else { throw error }
            }
        }
    }

    private static func reopened(_ verb: String, _ folder: String) -> Problem {
        Problem(
            .spoolUnavailable,
            "The spool \(folder) was closed and opened again before it could \(verb).",
            remedy: "Ask again.",
            retryAfter: .seconds(1)
        )
    }

    static func late(_ verb: String, _ folder: String) -> Problem {
        Problem(
            .deadlineExceeded,
            "The spool \(folder) could not \(verb) in time.",
            remedy: "Ask for a longer deadline, and look at the disk's load and errors (iostat, dmesg).",
            retryAfter: .seconds(1)
        )
    }

    static func tooLarge(_ bytes: Int, _ folder: String) -> Problem {
        Problem(
            .spoolFull,
            "The picture has \(HumanBytes.rounded(bytes)) bytes, and one in the spool \(folder) can have "
                + "\(HumanBytes.text(FileLimit.picture)) at most.",
            remedy: "Ask for a smaller picture, or one of a lower quality."
        )
    }

    static func closed(_ folder: String) -> Problem {
        Problem(
            .stopping,
            "The spool \(folder) is closed.",
            remedy: "Ask again when tintyped has started.",
            retryAfter: .seconds(1)
        )
    }
}
