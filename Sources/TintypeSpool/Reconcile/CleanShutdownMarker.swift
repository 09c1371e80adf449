// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Clean-shutdown record: the folders that agreed with the catalog, and the time of the comparison.
///
/// Valid only in the same boot, since unflushed data may be lost in a power cut. The next start skips a folder that is
/// unchanged since then, has no subfolders and was not moved. The time is that of the last comparison, not of the
/// shutdown: changes by other programs in between, and each picture added or deleted, have changed the folder's time.
struct CleanShutdownMarker: Hashable, Sendable, Codable {
    /// Boot, and the attributes that show if another program changed or replaced the catalog; nil before the shutdown.
    struct Place: Hashable, Sendable, Codable {
        /// Microseconds since 1970.
        let changedAt: Int64
        let size: Int
        let inode: UInt64
        let bootID: String
    }

    var moment: Timestamp
    var place: Place?
    /// Inodes of folders with subfolders, relative to the spool: a folder moved here can have the same times.
    var folders: [String: UInt64]

    /// Tolerance for the time of a folder, which can differ from that of the change by a kernel tick or a second.
    private static let slack = Duration.seconds(3)

    /// True if a folder and everything in it are unchanged since the comparison; check the folders above it separately.
    func covers(_ status: FileStatus) -> Bool { status.links == 2 && status.changedAt < moment - Self.slack }

    /// Writes the marker beside a closed catalog; not flushed, since it is valid only in the same boot, and fsync(2)
    /// could delay the exit by many seconds for data of other programs.
    func leave(in folder: String, mode: UInt32, bootID: String, _ files: any FileSystem) throws {
        var marker = self
        marker.place = try Self.place(of: folder, bootID, files)
        let text = String(decoding: try WireFormat.encode(marker), as: UTF8.self)
        if marker.place != nil { try CatalogNote.clean.write(text, in: folder, mode: mode, files) }
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
        let place = try place(of: folder, bootID, files)
        let isLogEmpty = try files.status(of: "\(folder)/catalog.sqlite-wal", following: false)?.size ?? 0 == 0
        let isSalvaged = try CatalogNote.salvage.text(in: folder, files) == nil
        // The spool has at least one subfolder: the one for incoming files.
        let countsFolders = try files.status(of: folder, following: true)?.links ?? 0 > 2
        let keepsTimes = try files.kind(of: folder).keepsFolderTimes
        try CatalogNote.clean.remove(in: folder, files)
        guard place != nil, isLogEmpty, isSalvaged, countsFolders, keepsTimes,
            let marker = try? WireFormat.decode(CleanShutdownMarker.self, from: text.utf8),
            marker.place == place, marker.moment <= now
        else { return nil }
        return marker
    }

    private static func place(
        of folder: String,
        _ bootID: String,
        _ files: any FileSystem
    ) throws(FileError) -> Place? {
        try files.status(of: "\(folder)/catalog.sqlite", following: false).map { catalog in
            let changedAt = catalog.changedAt.microseconds
            return Place(changedAt: changedAt, size: catalog.size, inode: catalog.inode, bootID: bootID)
        }
    }
}

/// Files beside the catalog with instructions for the next opening.
struct CatalogNote {
    /// Damage was found while the catalog was in use: it must be set aside; the text is the reason.
    static let damaged = CatalogNote(name: "catalog-damaged")
    /// Names of catalogs that were set aside, the last perhaps incompletely; their readable rows have yet to be merged.
    static let salvage = CatalogNote(name: "catalog-salvage")
    /// The spool was closed cleanly: see ``CleanShutdownMarker``.
    static let clean = CatalogNote(name: "catalog-clean", limit: FileLimit.folders, isFlushed: false)

    private let name: String
    private var limit = FileLimit.note
    private var isFlushed = true

    private func path(in folder: String) -> String { "\(folder)/.\(name)" }

    func text(in folder: String, _ files: any FileSystem) throws(FileError) -> String? {
        let path = path(in: folder)
        guard try files.status(of: path, following: false)?.kind == .file else { return nil }
        do throws(FileError) {
            return String(decoding: try files.read(path, atMost: limit), as: UTF8.self)
        } catch  where error.code == EFBIG {
            return ""  // existence is enough
        }
    }

    /// Names of catalogs in the note, one per line, in the order in which they were set aside.
    func catalogs(in folder: String, _ files: any FileSystem) throws(FileError) -> [String] {
        let lines = (try text(in: folder, files) ?? "").split(whereSeparator: \.isNewline).map(String.init)
        return lines.filter { $0.hasPrefix(Self.catalogPrefix) && !$0.utf8.contains(UInt8(ascii: "/")) }
    }

    /// Names of the catalogs set aside and not yet read, the last one, with the newest data, first; nil without a note.
    static func catalogsToSalvage(in folder: String, _ files: any FileSystem) throws(FileError) -> [String]? {
        guard try salvage.text(in: folder, files) != nil else { return nil }
        var names: [String] = []
        for name in try salvage.catalogs(in: folder, files).reversed()
        where try files.status(of: "\(folder)/\(name)", following: false)?.kind == .file { names.append(name) }
        return names
    }

    static let catalogPrefix = "catalog.sqlite.damaged-"

    /// Writes the list of catalogs to read; removes the note if there are none.
    static func record(_ names: [String], in folder: String, mode: UInt32, _ files: any FileSystem) throws(FileError) {
        guard !names.isEmpty else { return try salvage.remove(in: folder, files) }
        try salvage.write(names.joined(separator: "\n"), in: folder, mode: mode, files)
    }

    func write(_ text: String, in folder: String, mode: UInt32, _ files: any FileSystem) throws(FileError) {
        let temporary = "\(folder)/.incoming/\(name)"
        let bytes = Array(text.utf8)
        try files.replaceFile(path(in: folder), by: bytes, mode: mode, isFlushed: isFlushed, through: temporary)
        if isFlushed { try files.syncFolder(folder) }
    }

    func remove(in folder: String, _ files: any FileSystem) throws(FileError) {
        try files.remove(path(in: folder), isFlushed: true)
    }
}
