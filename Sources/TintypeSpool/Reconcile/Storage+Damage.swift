// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

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
    /// picture is newer.
    func catalogsToSalvage() throws(Problem) -> [String] {
        do throws(FileError) {
            guard try CatalogNote.salvage.text(in: folder, files) != nil else { return [] }
            let noted = try CatalogNote.salvage.catalogs(in: folder, files)
            var present: [String] = []
            for name in noted {
                if try files.status(of: "\(folder)/\(name)", following: false)?.kind == .file {
                    present.append(name)
                } else {
                    logger.warning("A damaged catalog that was set aside is gone, or no file: \(folder)/\(name)")
                }
            }
            if present != noted || present.isEmpty { try noteSalvage(of: present) }
            return present.reversed()
        } catch {
            throw error.problem
        }
    }

    /// Notes that all of that catalog was read that can be; where it could not be opened now for `obstacle`, it is left to
    /// the next comparison.
    func endSalvage(of name: String, _ count: Int, obstacle: String?) throws(Problem) {
        maintenance.totals = nil
        if let obstacle {
            logger.error(
                "The damaged catalog \(folder)/\(name) cannot be read now; the next comparison takes over what can be read",
                metadata: ["reason": "\(obstacle)"]
            )
            return
        }
        let noted = try asProblem(try CatalogNote.salvage.catalogs(in: folder, files))
        try asProblem(try noteSalvage(of: noted.filter { $0 != name }))
        logger.notice("Took over what could be read of the damaged catalog", metadata: ["frames": "\(count)"])
    }

    /// Notes which catalogs have not been read yet.
    private func noteSalvage(of names: [String]) throws(FileError) {
        guard !names.isEmpty else { return try CatalogNote.salvage.remove(in: folder, files) }
        let text = names.joined(separator: "\n")
        try CatalogNote.salvage.write(text, in: folder, mode: configuration.fileMode, files)
    }
}
