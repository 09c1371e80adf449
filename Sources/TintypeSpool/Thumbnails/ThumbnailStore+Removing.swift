// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeModel

// On the storage thread too: what is not known yet of the folder is not read for this.
extension ThumbnailStore {
    /// Removes the thumbnails of these frames: to be called after their pictures are gone.
    func remove(_ ids: [FrameID]) {
        guard !ids.isEmpty else { return }
        let known = state.withLock { state -> [ThumbnailName]? in
            if case .reading(let gone) = state { state = .reading(gone: gone.union(ids)) }
            return state.change { index in ids.flatMap { index.take(allOf: $0) } }
        }
        let gone = Set(ids)
        discard(known ?? names().filter { gone.contains($0.id) })
    }

    /// Removes thumbnails, those used longest ago first, until so many bytes of room are free or none is left: before
    /// any picture gives way.
    ///
    /// Returns the bytes that became free.
    @discardableResult
    func makeRoom(_ wanted: Int) -> Int {
        let known = state.withLock { state in
            state.change { index -> (names: [ThumbnailName], freed: Int) in
                let before = index.bytes
                let names = index.take(downTo: max(0, before - wanted))
                return (names, before - index.bytes)
            }
        }
        if let known {
            discard(known.names)
            return known.freed
        }
        var freed = 0
        var victims: [FrameID] = []
        for name in names() {
            guard freed < wanted || victims.last == name.id else { break }
            guard let status = try? files.status(of: path(name), following: false), status.kind == .file else {
                continue
            }
            if victims.last != name.id { victims.append(name.id) }
            freed += RetentionExcess.onDisk(status.size)
        }
        remove(victims)
        return freed
    }

    private func discard(_ names: [ThumbnailName]) {
        for name in names {
            do throws(FileError) {
                try files.remove(path(name))
            } catch {
                logger.warning("\(error) It is looked at again after the next start.")
            }
        }
    }

    /// The thumbnails in the folder, those of the oldest frames first; names that are no thumbnail's are left alone.
    func names() -> [ThumbnailName] {
        do throws(FileError) {
            guard try files.status(of: folder, following: false)?.kind == .folder else { return [] }
            return try files.names(in: folder).compactMap { ThumbnailName($0) }
        } catch {
            logger.warning("\(error) Thumbnails that are there already are not counted.")
            return []
        }
    }
}
