// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging

/// Files beside the catalog that tell a later opening what is to be done about it.
struct CatalogNote {
    /// The catalog was found damaged while it was in use, for this reason: it must be set aside.
    static let damaged = CatalogNote(name: "catalog-damaged")
    /// The catalogs of these names were set aside, or the last of them is being set aside: their readable rows have yet
    /// to be taken over.
    static let salvage = CatalogNote(name: "catalog-salvage")

    /// The spool was closed in good order: see ``CleanMark``.
    static let clean = CatalogNote(name: "catalog-clean", limit: FileLimit.folders)

    private let name: String
    private var limit = FileLimit.note

    private func path(in folder: String) -> String { "\(folder)/.\(name)" }

    /// The contents of the note; nil if there is none.
    func text(in folder: String, _ files: any FileSystem) throws(FileError) -> String? {
        let path = path(in: folder)
        guard try files.status(of: path, following: false)?.kind == .file else { return nil }
        do throws(FileError) {
            return String(decoding: try files.read(path, atMost: limit), as: UTF8.self)
        } catch  where error.code == EFBIG {
            return ""  // that it is there says enough
        }
    }

    /// The names of catalogs that it says, one a line, the one that was set aside first first.
    func catalogs(in folder: String, _ files: any FileSystem) throws(FileError) -> [String] {
        let lines = (try text(in: folder, files) ?? "").split(whereSeparator: \.isNewline).map(String.init)
        return lines.filter { $0.hasPrefix(Self.catalogPrefix) && !$0.utf8.contains(UInt8(ascii: "/")) }
    }

    /// How the name of a catalog begins that was set aside.
    static let catalogPrefix = "catalog.sqlite.damaged-"

    /// Notes of which catalogs the rows have yet to be taken over.
    static func note(
        salvageOf names: [String],
        in folder: String,
        mode: UInt32,
        _ files: any FileSystem
    ) throws(FileError) {
        guard !names.isEmpty else { return try salvage.remove(in: folder, files) }
        try salvage.write(names.joined(separator: "\n"), in: folder, mode: mode, files)
    }

    /// Leaves it there, in place of one that said something else; it is on the disk when this returns if it `isFlushed`.
    func write(
        _ text: String,
        in folder: String,
        mode: UInt32,
        isFlushed: Bool = true,
        _ files: any FileSystem
    ) throws(FileError) {
        let temporary = "\(folder)/.incoming/\(name)"
        let bytes = Array(text.utf8)
        try files.replaceFile(path(in: folder), by: bytes, mode: mode, isFlushed: isFlushed, through: temporary)
        if isFlushed { try files.syncFolder(folder) }
    }

    /// Takes it away; it is gone from the disk when this returns.
    func remove(in folder: String, _ files: any FileSystem) throws(FileError) {
        try files.remove(path(in: folder), isFlushed: true)
    }
}

extension Storage {
    /// Leaves a note for the next opening where the catalog was found damaged while it was in use.
    func markDamage() {
        guard let damage = catalog.damage else { return }
        do throws(FileError) {
            try CatalogNote.damaged.write(damage, in: folder, mode: configuration.fileMode, files)
        } catch {
            logger.error("\(error) The catalog is damaged: \(damage). Delete it to have it rebuilt from the files.")
        }
    }

    /// The names of the catalogs that were set aside and have not been read yet, the last one first: what it says of a
    /// picture is newer; nil where there is no note of any.
    func catalogsToSalvage() throws(FileError) -> [String]? {
        guard try CatalogNote.salvage.text(in: folder, files) != nil else { return nil }
        var names: [String] = []
        for name in try CatalogNote.salvage.catalogs(in: folder, files).reversed()
        where try files.status(of: "\(folder)/\(name)", following: false)?.kind == .file { names.append(name) }
        return names
    }

    /// Notes the catalogs that have yet to be read, the last one first.
    func noteSalvage(of names: [String]) throws(FileError) {
        maintenance.totals = nil
        try CatalogNote.note(salvageOf: names.reversed(), in: folder, mode: configuration.fileMode, files)
    }
}
