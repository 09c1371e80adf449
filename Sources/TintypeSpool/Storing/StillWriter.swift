// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel
internal import TintypeSystem

/// Writes stills into `.incoming`, several concurrently: sequential fdatasync(2) calls would leave the disk idle in
/// between; the file system combines concurrent ones.
struct StillWriter: Sendable {
    enum Outcome: Sendable {
        case written(WrittenStill)
        /// Not enough space for the picture and the reserve; `isRefused` if the disk says so despite its free bytes.
        case lacksRoom(FileError, isRefused: Bool)
        case failed(FileError)
    }

    /// Bytes to leave free for folders, link and catalog.
    static let reserve: UInt64 = 1 << 20

    let configuration: Spool.Configuration
    let files: any FileSystem

    private var folder: String { configuration.folder }

    /// Writes a still to a new file and removes it on failure; `free` bytes must stay free besides the reserve; blocks.
    func write(_ picture: [UInt8], of job: StoreJob, free: UInt64) -> Outcome {
        NamedThread.assertMayBlock("writing a picture")
        let temporary = "\(folder)/.incoming/\(job.record.id)-\(job.number).jpg"
        do throws(FileError) {
            let available = try files.availableBytes(at: folder)
            guard available >= UInt64(picture.count) + Self.reserve + free else {
                let error = FileError("store a picture of \(picture.count) bytes in", folder, code: ENOSPC)
                return .lacksRoom(error, isRefused: false)
            }
            let sha256 = try files.makeFile(temporary, mode: configuration.fileMode) { (file) throws(FileError) in
                try files.write(picture, to: file)
                // The disk writes while the checksum is computed.
                if job.durability != .none { files.beginFlush(of: file) }
                let sha256 = SHA256.text(picture)
                if job.durability != .none { try files.syncData(of: file) }
                return sha256
            }
            return .written(WrittenStill(job: job, temporary: temporary, sha256: sha256))
        } catch {
            return error.isFull ? .lacksRoom(error, isRefused: true) : .failed(error)
        }
    }
}
