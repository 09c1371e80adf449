// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

extension Spool {
    /// Runs `work` on the storage thread.
    ///
    /// The storage differs in each opening, so callers must not keep it. Opens the spool first if it is unavailable and
    /// an attempt is due. Throws the errors of `work`, the reason while the spool is unavailable, `stopping` once
    /// closed, and `deadline-exceeded`. With `opening`, throws `spool-unavailable` if the spool was reopened since.
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

    /// Runs `beside` on `tt-read`, so that no store waits for it; if it returns nil, runs `work` on the storage thread.
    ///
    /// `work` handles faults that the reader only detects. Throws the errors of ``perform``.
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

    /// Runs `work`, which consists of several ``perform`` steps, within one opening of the spool.
    ///
    /// Restarts it, up to three times, if the spool is reopened meanwhile: the catalog may then be a new one, without
    /// the results of the earlier steps.
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
                // A catalog found damaged is set aside when the spool is reopened, which is queued before this call.
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
