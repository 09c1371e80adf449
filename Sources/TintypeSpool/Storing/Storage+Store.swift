// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import Glibc
internal import Logging
internal import TintypeModel

extension Storage {
    /// Room that must be left besides the picture, for folders, link and catalog.
    static let reserve: UInt64 = 1 << 20

    /// Stores a picture: see ``Spool/store(_:durability:until:)``.
    ///
    /// In this order, so that a file under a final name is whole and a row has its file whenever the process is
    /// killed: write to `.incoming`, flush, rename, flush the folders, make the new link beside, insert the row, put
    /// the link in place.
    func store(_ still: Still, durability: Durability) throws(Problem) -> StillRecord {
        var record = still.record
        guard CameraName.isValid(record.camera) else {
            throw .invalid(
                field: "camera",
                "is no name that a folder of the spool can have: “\(record.camera)”.",
                remedy: "Use a-z, 0-9, '.', '_' and '-', the first a letter or a digit, at most 64 in all."
            )
        }
        record.bytes = still.picture.count
        let sha256 = Self.digest(still.picture)
        let name = try write(still.picture, of: record, durability: durability)
        let path = "\(folder)/\(name)"
        let stored: StillRecord.Stored = durability == .full ? .durable : .written
        let link: String
        do throws(FileError) {
            if durability == .full { try syncFolders(of: name) }
            link = try makeLatest(record.id, to: name)
        } catch {
            discard(path, durability)
            throw error.problem
        }
        do throws(Problem) {
            let row = row(for: record, path: name.description, sha256: sha256, stored: stored)
            try catalog.insert([row], isDurable: durability == .full)
        } catch {
            discard(link)
            discard(path, durability)
            throw files.judged(error, in: folder)
        }
        do throws(FileError) {
            try files.replace("\(folder)/\(record.camera)/latest.jpg", by: link)
        } catch {
            // The picture is stored as promised; only the link still shows the one before.
            discard(link)
            logger.warning("\(error) latest.jpg stays as it was.", metadata: ["camera": "\(record.camera)"])
        }
        record.path = path
        record.stored = stored
        record.sha256 = sha256
        return record
    }

    /// Lower-case hexadecimal SHA-256 (FIPS 180-4).
    static func digest(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in SHA256.hash(data: bytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the picture under its final name and returns that; leaves nothing behind if it throws.
    private func write(
        _ picture: [UInt8],
        of record: StillRecord,
        durability: Durability
    ) throws(Problem) -> SpoolPath {
        let temporary = "\(incoming)/\(record.id).jpg"
        do throws(FileError) {
            let available = try files.availableBytes(at: folder)
            guard available >= UInt64(picture.count) + Self.reserve else {
                throw FileError("store a picture of \(picture.count) bytes in", folder, code: ENOSPC)
            }
            let file = try files.create(temporary, mode: configuration.fileMode)
            do throws(FileError) {
                try files.write(picture, to: file)
                if durability != .none { try files.syncData(of: file) }
            } catch {
                try? files.close(file)
                throw error
            }
            try files.close(file)
            return try giveName(to: temporary, record)
        } catch {
            // What has that name and is not ours stays.
            if error.code != EEXIST { discard(temporary) }
            throw error.problem
        }
    }

    private func giveName(to temporary: String, _ record: StillRecord) throws(FileError) -> SpoolPath {
        var name = SpoolPath(camera: record.camera, capturedAt: record.capturedAt, sequence: record.sequence)
        try makeFolders(of: name)
        var hasRetried = false
        while true {
            do throws(FileError) {
                try files.move(temporary, to: "\(folder)/\(name)")
                return name
            } catch  where error.code == EEXIST && name.attempt < 100_000 {
                name.attempt += 1
            } catch  where error.code == ENOENT && !hasRetried {
                // Somebody has removed the day's folder since it was made.
                hasRetried = true
                madeFolders = []
                syncedFolders = []
                try makeFolders(of: name)
            }
        }
    }

    /// Removes a file that must not stay; a failure is logged, and the next start reconciles.
    private func discard(_ path: String, _ durability: Durability = .none) {
        do throws(FileError) {
            try files.remove(path)
            guard durability == .full, let end = path.lastIndex(of: "/") else { return }
            try files.syncFolder(String(path[..<end]))
        } catch {
            logger.warning("\(error) The next start looks at it again.")
        }
    }
}
