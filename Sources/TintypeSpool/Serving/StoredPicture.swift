// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeSystem

/// The result of reading a row's file.
enum StoredPicture: Sendable {
    /// The bytes that were stored: as many as the row says, with its checksum.
    case whole([UInt8])
    /// There is no such file, or something else than a file has its name.
    case gone
    /// A file of other bytes, and what about them is wrong, as the end of a sentence.
    case wrong(String)

    /// Reads the file of `row` in the spool at `folder`, and compares it with what was stored; blocks.
    ///
    /// Each time: a disk may change what it gives back, and an SHA-256 of 100 kB takes 0.06 ms. No file of another length is
    /// read.
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

    /// The fault of the file without a look into it: ``gone``, or of another length; nil if there is none.
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
