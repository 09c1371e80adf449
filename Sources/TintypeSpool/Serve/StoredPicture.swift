// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeModel
internal import TintypeSystem

/// The file of a row, compared with it.
enum StoredPicture: Sendable {
    /// Length and checksum match the row; the poster of a film or clip.
    case whole([UInt8])
    /// Missing, or not a regular file.
    case gone
    /// A file with other contents; the text describes the difference, as the end of a sentence.
    case wrong(String)

    /// Reads and verifies the file each time, since a disk may return other data (0.06 ms for 100 kB); blocks.
    ///
    /// Verifies the checksum of a film or clip only if `isDeep`: it may have gigabytes.
    init(_ row: FrameRow, in folder: String, _ files: any FileSystem, isDeep: Bool = false) throws(FileError) {
        if let fault = try Self.fault(of: row, in: folder, files) {
            self = fault
            return
        }
        do throws(FileError) {
            let path = "\(folder)/\(row.path)"
            guard row.kind == nil else {
                if isDeep, try files.checksum(of: path, size: row.bytes) != row.sha256 {
                    self = .wrong(Self.otherChecksum)
                } else {
                    self = .whole(try VideoTrailer(of: path, size: row.bytes, files)?.poster ?? [])
                }
                return
            }
            let bytes = try files.read(path, atMost: FileLimit.picture)
            if bytes.count != row.bytes {
                self = .wrong(Self.text(ofLength: bytes.count, row))
            } else if SHA256.text(bytes) != row.sha256 {
                self = .wrong(Self.otherChecksum)
            } else {
                self = .whole(bytes)
            }
        } catch  where error.code == ENOENT {
            self = .gone
        }
    }

    private static let otherChecksum = "its bytes have another checksum (SHA-256)"

    /// Bytes of the file of `row`, or the poster of a film; nil if they are unreadable or not those of the row.
    static func bytes(of row: FrameRow, in folder: String, _ files: any FileSystem) -> [UInt8]? {
        guard case .whole(let bytes)? = try? StoredPicture(row, in: folder, files) else { return nil }
        return bytes
    }

    /// Existence and length of the file, which is not read; nil if both are right.
    static func fault(of row: FrameRow, in folder: String, _ files: any FileSystem) throws(FileError) -> StoredPicture?
    {
        guard let size = try files.size(ofFile: "\(folder)/\(row.path)") else { return .gone }
        return size == row.bytes ? nil : .wrong(text(ofLength: size, row))
    }

    /// True for a row whose file has its length.
    static func isThere(_ row: FrameRow, in folder: String, _ files: any FileSystem) -> Bool {
        (try? fault(of: row, in: folder, files) == nil) ?? false
    }

    static func text(ofLength count: Int, _ row: FrameRow) -> String {
        "it has \(count) bytes where \(row.bytes) were stored"
    }
}

extension OpenSpool {
    /// As ``SpoolStore/picture(of:until:)``; a wrong file that cannot be quarantined is rejected each time.
    func picture(of id: FrameID) throws(Problem) -> [UInt8] {
        let row = try catalog.frame(id)
        switch try asProblem(try StoredPicture(row, in: folder, files)) {
        case .whole(let bytes): return bytes
        case .gone:
            let detail = "The frame \(row.id) is in the catalog, but its file is gone: \(folder)/\(row.path)."
            let remedy = "Put the file back (look in \(folder)/.quarantine too), then run “tintype frames verify”."
            throw Problem(.frameNotFound, detail, remedy: remedy)
        case .wrong(let why):
            attempt("The file of the frame \(row.id) stays where it is.") {
                _ = try Quarantine(spool: self).isolate(row, found: why)
            }
            let detail = "The file of the frame \(row.id) is not the picture that was stored: \(why)."
            let remedy =
                "Put a copy of the picture at \(folder)/\(row.path), then run “tintype frames verify”. The "
                + "damaged file is in \(folder)/.quarantine. Look for errors of the disk in the kernel's log (dmesg)."
            throw Problem(.corruptOnly, detail, remedy: remedy)
        }
    }
}
