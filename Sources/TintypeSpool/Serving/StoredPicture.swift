// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

enum StoredPicture: Sendable {
    /// Length and checksum match the row.
    case whole([UInt8])
    /// Missing, or not a regular file.
    case gone
    /// A file with other contents; the text describes the difference, as the end of a sentence.
    case wrong(String)

    /// Reads and verifies the file of `row`, each time, since a disk may return other data; SHA-256 of 100 kB takes
    /// 0.06 ms; blocks.
    init(_ row: FrameRow, in folder: String, _ files: any FileSystem) throws(FileError) {
        if let wrong = try Self.wrongAtFirstSight(row, in: folder, files) {
            self = wrong
            return
        }
        do throws(FileError) {
            let bytes = try files.read("\(folder)/\(row.path)", atMost: FileLimit.picture)
            if bytes.count != row.bytes {
                self = Self.length(bytes.count, row)
            } else if SHA256.text(bytes) != row.sha256 {
                self = .wrong("its bytes have another checksum (SHA-256)")
            } else {
                self = .whole(bytes)
            }
        } catch  where error.code == ENOENT {
            self = .gone
        }
    }

    /// Checks existence and length without reading the file; nil if both are right.
    static func wrongAtFirstSight(
        _ row: FrameRow,
        in folder: String,
        _ files: any FileSystem
    ) throws(FileError) -> StoredPicture? {
        do throws(FileError) {
            let status = try files.status(of: "\(folder)/\(row.path)", following: false)
            guard let status, status.kind == .file else { return .gone }
            return status.size == row.bytes ? nil : length(status.size, row)
        } catch  where error.isOnTheWay {
            return .gone
        }
    }

    private static func length(_ count: Int, _ row: FrameRow) -> StoredPicture {
        .wrong("it has \(count) bytes where \(row.bytes) were stored")
    }
}

extension Storage {
    /// Reads a stored picture; throws `frame-not-found`, `corrupt-only` if the file differs from it, and
    /// `spool-unavailable`.
    func picture(of id: FrameID) throws(Problem) -> [UInt8] {
        let row = try row(id)
        switch try asProblem(try StoredPicture(row, in: folder, files)) {
        case .whole(let bytes): return bytes
        case .gone: throw .gone(row, in: folder)
        case .wrong(let why): throw reject(row, why)
        }
    }

    /// Sets a wrong file aside and returns the problem for clients; if that fails, the file is rejected each time.
    private func reject(_ row: FrameRow, _ why: String) -> Problem {
        do throws(Problem) {
            _ = try setAside(row)
        } catch {
            logger.warning("\(error) The file of the frame \(row.id) stays where it is.")
        }
        return .wrong(row, why, in: folder)
    }
}

extension Problem {
    fileprivate static func gone(_ row: FrameRow, in folder: String) -> Problem {
        Problem(
            .frameNotFound,
            "The frame \(row.id) is in the catalog, but its file is gone: \(folder)/\(row.path).",
            remedy: "Put the file back (look in \(folder)/.quarantine too), then run “tintype frames verify”."
        )
    }

    fileprivate static func wrong(_ row: FrameRow, _ why: String, in folder: String) -> Problem {
        Problem(
            .corruptOnly,
            "The file of the frame \(row.id) is not the picture that was stored: \(why).",
            remedy:
                "Put a copy of the picture at \(folder)/\(row.path), then run “tintype frames verify”. The damaged file "
                + "is in \(folder)/.quarantine. Look for errors of the disk in the kernel's log (dmesg)."
        )
    }
}
