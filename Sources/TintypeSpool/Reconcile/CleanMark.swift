// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What a spool that was closed in good order leaves for the next start: with which folders its catalog agreed, and when.
///
/// After a boot it is not believed: what had not been flushed can have been lost with the power.
///
/// A folder that has not changed since then, that has no folder in it, and that is where it was, need not be gone through
/// again. The time is that of the last comparison, not of the end: what other programs did in between has changed the
/// folder's time, and so has each picture that came or went.
struct CleanMark: Hashable, Sendable {
    /// When the comparison began.
    var moment: Timestamp
    /// The folders that have folders in them, relative to the spool, by their numbers in the file system: one that was
    /// moved has the same contents with the same times, and another number than what was there before.
    var folders: [String: UInt64]

    /// How much later than a change the time of a folder can be, and how much earlier: by a tick of the kernel, or a second.
    private static let slack = Duration.seconds(3)

    /// Whether a folder is as it was when it was compared, all that is in it too; the folders above it were looked at.
    func covers(_ status: FileStatus) -> Bool {
        status.links == 2 && status.changedAt < moment - Self.slack
    }

    /// Leaves it beside a catalog that is closed.
    ///
    /// It is not flushed, since it is believed in the same boot only: fsync(2) waits for what other programs have written,
    /// too, which can be many seconds, and the process cannot leave before that.
    func leave(in folder: String, mode: UInt32, bootID: String, _ files: any FileSystem) throws(FileError) {
        guard let catalog = try Self.catalog(in: folder, files) else { return }
        let lines = folders.filter { !$0.key.contains { $0.isNewline } }.map { "\($0.value) \($0.key)" }
        let text = ([Self.line(moment, catalog, bootID)] + lines).joined(separator: "\n")
        try CatalogNote.clean.write(text, in: folder, mode: mode, isFlushed: false, files)
    }

    /// Takes it away, so that a daemon that is killed leaves none; nil where there was none that can be believed.
    ///
    /// It is believed of the very catalog that was closed then, in the same boot, unless the clock is behind it, or the file system does not
    /// keep the times of folders or count the folders in them.
    static func take(
        from folder: String,
        bootID: String,
        at now: Timestamp,
        _ files: any FileSystem
    ) throws(FileError) -> CleanMark? {
        guard let text = try CatalogNote.clean.text(in: folder, files) else { return nil }
        let catalog = try catalog(in: folder, files)
        let isLogEmpty = try files.status(of: "\(folder)/catalog.sqlite-wal", following: false)?.size ?? 0 == 0
        let isSalvaged = try CatalogNote.salvage.text(in: folder, files) == nil
        // The spool has a folder for what is being written.
        let countsFolders = try files.status(of: folder, following: true)?.links ?? 0 > 2
        let keepsTimes = try files.kind(of: folder).keepsFolderTimes
        try CatalogNote.clean.remove(in: folder, files)
        let lines = text.split(separator: "\n")
        guard let catalog, isLogEmpty, isSalvaged, countsFolders, keepsTimes, let first = lines.first,
            let microseconds = first.split(separator: " ").first.flatMap({ Int64($0) }),
            CheckedRow.moments.contains(microseconds)
        else { return nil }
        let moment = Timestamp(microseconds: microseconds)
        guard first == line(moment, catalog, bootID), moment <= now else { return nil }
        let folders = lines.dropFirst().compactMap { line -> (String, UInt64)? in
            let parts = line.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? UInt64(parts[0]).map { (String(parts[1]), $0) } : nil
        }
        return CleanMark(moment: moment, folders: Dictionary(folders) { first, _ in first })
    }

    private static func catalog(in folder: String, _ files: any FileSystem) throws(FileError) -> FileStatus? {
        try files.status(of: "\(folder)/catalog.sqlite", following: false)
    }

    /// The moment, the boot, and what tells whether another program has changed the catalog since, or put another in its
    /// place.
    private static func line(_ moment: Timestamp, _ catalog: FileStatus, _ bootID: String) -> String {
        "\(moment.microseconds) \(catalog.changedAt.microseconds) \(catalog.size) \(catalog.inode) \(bootID)"
    }
}
