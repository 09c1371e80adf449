// SPDX-License-Identifier: Apache-2.0
internal import Glibc

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
