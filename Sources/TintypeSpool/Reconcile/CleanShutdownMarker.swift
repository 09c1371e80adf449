// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Clean-shutdown record: the folders that agreed with the catalog, and the time of the comparison.
///
/// Valid only in the same boot, since unflushed data may be lost in a power cut. The next start skips a folder that is
/// unchanged since then, has no subfolders and was not moved. The time is that of the last comparison, not of the
/// shutdown: changes by other programs in between, and each picture added or deleted, have changed the folder's time.
struct CleanShutdownMarker: Hashable, Sendable {
    var moment: Timestamp
    /// Inodes of folders with subfolders, relative to the spool: a folder moved here can have the same times.
    var folders: [String: UInt64]

    /// Tolerance for the time of a folder, which can differ from that of the change by a kernel tick or a second.
    private static let slack = Duration.seconds(3)

    /// True if a folder and everything in it are unchanged since the comparison; check the folders above it separately.
    func covers(_ status: FileStatus) -> Bool { status.links == 2 && status.changedAt < moment - Self.slack }

    /// Writes the marker beside a closed catalog; not flushed, since it is valid only in the same boot, and fsync(2)
    /// could delay the exit by many seconds for data of other programs.
    func leave(in folder: String, mode: UInt32, bootID: String, _ files: any FileSystem) throws(FileError) {
        guard let catalog = try Self.catalog(in: folder, files) else { return }
        let lines = folders.filter { !$0.key.contains { $0.isNewline } }.map { "\($0.value) \($0.key)" }
        let text = ([Self.line(moment, catalog, bootID)] + lines).joined(separator: "\n")
        try CatalogNote.clean.write(text, in: folder, mode: mode, files)
    }

    /// Reads and removes the marker, so that a daemon that is killed leaves none; nil unless it is of the same catalog
    /// file and boot, not after `now`, and the file system keeps folder times and counts subfolders.
    static func take(
        from folder: String,
        bootID: String,
        at now: Timestamp,
        _ files: any FileSystem
    ) throws(FileError) -> CleanShutdownMarker? {
        guard let text = try CatalogNote.clean.text(in: folder, files) else { return nil }
        let catalog = try catalog(in: folder, files)
        let isLogEmpty = try files.status(of: "\(folder)/catalog.sqlite-wal", following: false)?.size ?? 0 == 0
        let isSalvaged = try CatalogNote.salvage.text(in: folder, files) == nil
        // The spool has at least one subfolder: the one for incoming files.
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
        return CleanShutdownMarker(moment: moment, folders: Dictionary(folders) { first, _ in first })
    }

    private static func catalog(in folder: String, _ files: any FileSystem) throws(FileError) -> FileStatus? {
        try files.status(of: "\(folder)/catalog.sqlite", following: false)
    }

    /// Time, boot, and the attributes that show if another program changed or replaced the catalog.
    private static func line(_ moment: Timestamp, _ catalog: FileStatus, _ bootID: String) -> String {
        "\(moment.microseconds) \(catalog.changedAt.microseconds) \(catalog.size) \(catalog.inode) \(bootID)"
    }
}
