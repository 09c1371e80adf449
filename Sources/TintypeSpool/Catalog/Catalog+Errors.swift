// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// Classifies a failure to open: a damaged catalog, or one that is only out of reach.
    static func openingError(_ error: any Error, _ path: String) -> OpeningError {
        if let error = error as? OpeningError { return error }
        var damage = damage(error)
        if let error = error as? DatabaseError {
            switch error.resultCode {
            // SQLITE_ERROR: a valid database that lacks the tables it claims to have.
            case .SQLITE_ERROR, .SQLITE_CONSTRAINT: damage = text(of: error)
            // The header may mark the file read-only (byte 18, "File format version numbers" of SQLite's file format).
            case .SQLITE_READONLY
            where error.extendedResultCode == .SQLITE_READONLY && SystemFiles.isWritable(path):
                damage = text(of: error)
            default: break
            }
        }
        return OpeningError(problem: problem(error, "open", path), damage: damage)
    }

    /// Refuses a catalog of a newer version before anything is written to it.
    static func checkVersion(of queue: DatabaseQueue, _ path: String) throws {
        guard try queue.read({ try CatalogSchema.newestVersion(in: $0) }) > CatalogSchema.version else { return }
        throw OpeningError(
            problem: Problem(
                .spoolUnavailable,
                "The catalog \(path) was written by a newer version of tintyped.",
                remedy: "Install that version again, or name another spool folder with --spool."
            )
        )
    }

    func isDamaged(_ reason: String) -> Problem {
        damage = damage ?? reason
        return Problem(
            .spoolUnavailable,
            "The catalog \(path) is damaged: \(reason).",
            remedy: "Wait: it is set aside and rebuilt from the files.",
            retryAfter: .seconds(1)
        )
    }

    static func problem(_ error: any Error, _ operation: String, _ path: String) -> Problem {
        guard let error = error as? DatabaseError else {
            return Problem(
                .internalError,
                "Cannot \(operation) the catalog \(path): \(error).",
                remedy: "Please report this."
            )
        }
        var reason = text(of: error)
        var pause: Duration? = .seconds(10)
        let remedy: String
        switch error.resultCode {
        case .SQLITE_FULL: remedy = SpoolRemedy.full("the file system of the catalog")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (remedy, pause) = ("End the other program that has it open for writing.", .seconds(2))
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH:
            (remedy, pause) = ("Wait: a damaged catalog is set aside and rebuilt from the files.", nil)
        case .SQLITE_INTERRUPT:
            reason = "it took too much processor time"
            (remedy, pause) = ("Ask with a simpler filter.", nil)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            remedy = "Let the daemon's user write to that file and its folder, on a file system mounted read-write."
        default: remedy = "Look for errors of the disk in the kernel's log (dmesg)."
        }
        return Problem(
            error.resultCode == .SQLITE_FULL ? .spoolFull : .spoolUnavailable,
            "Cannot \(operation) the catalog \(path): \(reason).",
            remedy: remedy,
            retryAfter: pause
        )
    }

    /// Description of the damage if `error` indicates any; an operation that a client `asked` for may be interrupted
    /// for its run time without damage.
    static func damage(_ error: any Error, asked: Bool = false) -> String? {
        guard let error = error as? DatabaseError else { return nil }
        let isDamage =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH: true
            case .SQLITE_INTERRUPT: !asked
            // Integer overflow of a sum in a trigger.
            case .SQLITE_CONSTRAINT: error.extendedResultCode == .SQLITE_CONSTRAINT_DATATYPE
            default: false
            }
        return isDamage ? text(of: error) : nil
    }

    private static func text(of error: DatabaseError) -> String {
        "\(error.message ?? "SQLite gives no reason") (SQLite error \(error.extendedResultCode.rawValue))"
    }
}
