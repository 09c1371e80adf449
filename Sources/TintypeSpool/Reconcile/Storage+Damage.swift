// SPDX-License-Identifier: Apache-2.0
internal import Logging

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
