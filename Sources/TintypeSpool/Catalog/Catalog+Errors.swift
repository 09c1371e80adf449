// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

extension Catalog {
    /// Tells a catalog that cannot be read any more from one that cannot be reached.
    static func openingError(_ error: any Error, _ path: String) -> OpeningError {
        guard let error = error as? DatabaseError else { return .failed(problem(error, "open", path)) }
        switch error.resultCode {
        // SQLITE_ERROR: it is a database, and not with the tables that it says it has.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT:
            return .damaged(text(of: error))
        default: return .failed(problem(error, "open", path))
        }
    }

    /// What a client is told of a failure of SQLite.
    static func problem(_ error: any Error, _ operation: String, _ path: String) -> Problem {
        guard let error = error as? DatabaseError else {
            return Problem(
                .internalError,
                "Cannot \(operation) the catalog \(path): \(error).",
                remedy: "Please report this."
            )
        }
        let sentence = "Cannot \(operation) the catalog \(path): \(text(of: error))."
        switch error.resultCode {
        case .SQLITE_FULL:
            return Problem(
                .spoolFull,
                sentence,
                remedy: "Free some space on the file system that it is on.",
                retryAfter: .seconds(10)
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return Problem(
                .spoolUnavailable,
                sentence,
                remedy: "End the other program that has it open for writing.",
                retryAfter: .seconds(2)
            )
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return Problem(
                .spoolUnavailable,
                sentence,
                remedy: "Nothing: a damaged catalog is set aside, and rebuilt from the files."
            )
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            return Problem(
                .spoolUnavailable,
                sentence,
                remedy: "Let the daemon's user write to that file and its folder, on a file system mounted read-write.",
                retryAfter: .seconds(10)
            )
        default:
            return Problem(
                .spoolUnavailable,
                sentence,
                remedy: "Look for errors of the disk in the kernel's log (dmesg).",
                retryAfter: .seconds(10)
            )
        }
    }

    /// What is damaged where that is why an operation failed; nil where it is not.
    static func damage(_ error: any Error) -> String? {
        guard let error = error as? DatabaseError else { return nil }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) ? text(of: error) : nil
    }

    private static func text(of error: DatabaseError) -> String {
        "\(error.message ?? "SQLite gives no reason") (SQLite error \(error.extendedResultCode.rawValue))"
    }
}
