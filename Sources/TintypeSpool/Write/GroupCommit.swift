// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Adds written stills to the spool with one flush per folder and one transaction; on the storage thread.
struct GroupCommit {
    let spool: OpenSpool
    /// True for stills of durability `full`: their names and rows are flushed.
    let isFull: Bool

    /// Commits a group, and sets `path` and `stored`, or `problem`, of each still.
    ///
    /// The steps are under “The order of system calls” in docs/reference/spool.md: after a kill, a final name has its
    /// whole file, and a row has its file. A still that fails leaves nothing behind and does not affect the others.
    func commit(_ group: [PendingWrite]) {
        spool.admission.beginGroup()
        for write in group { rename(write) }
        if isFull { flushFolders(of: group) }
        let links = prepareLinks(to: group)
        insertRows(of: group)
        let newest = newest(of: group)
        for (camera, link) in links.sorted(by: { $0.key < $1.key }) { showLink(link, of: camera, newest[camera]) }
    }

    /// Step `rename`: moves the file to its final name, after room was made for it.
    private func rename(_ write: PendingWrite) {
        do throws(Problem) {
            try spool.admission.admit(UInt64(write.record.bytes), of: write.record.camera, isStill: write.isStill)
            write.path = try asProblem(
                try spool.admission.withRoom(for: write.record.camera) { () throws(FileError) in
                    try spool.tree.move(write.temporary, of: write.record, write.ending)
                }
            )
        } catch {
            write.problem = error
            spool.discard(write.temporary)
        }
    }

    /// Step `flush folders`: once for each folder of the group.
    private func flushFolders(of group: [PendingWrite]) {
        var parts = Dictionary(grouping: group.filter { $0.problem == nil }) { $0.path?.folders }
        for write in group {
            guard let path = write.path, let part = parts.removeValue(forKey: path.folders) else { continue }
            do throws(FileError) {
                try spool.tree.flush(path)
            } catch {
                for write in part { fail(write, error.problem) }
            }
        }
    }

    /// Step `prepare link`, before the rows, since it can run out of space; if that fails, the camera's stills fail.
    private func prepareLinks(to group: [PendingWrite]) -> [String: PreparedLink] {
        var links: [String: PreparedLink] = [:]
        for (camera, write) in newest(of: group).sorted(by: { $0.key < $1.key }) {
            guard let path = write.path else { continue }
            let link = "\(spool.incoming)/\(write.record.id)-\(write.number).latest"
            do throws(FileError) {
                try spool.admission.withRoom(for: camera) { () throws(FileError) in
                    try spool.latest.prepare(link, of: camera, to: path.withinCamera)
                }
                links[camera] = (link, path)
            } catch {
                for write in group where write.problem == nil && write.record.camera == camera {
                    fail(write, error.problem)
                }
            }
        }
        return links
    }

    /// Step `insert rows`: all in one transaction, or one by one if that fails, so that each gets its own error.
    private func insertRows(of group: [PendingWrite]) {
        let remaining = group.filter { $0.problem == nil }
        guard !remaining.isEmpty else { return }
        for write in remaining { write.record.stored = isFull && spool.site.limit == nil ? .durable : .written }
        do throws(Problem) {
            try insert(remaining)
        } catch {
            for write in remaining { insertAlone(write, remaining.count == 1 ? error : nil) }
        }
        for write in remaining where write.problem == nil {
            spool.admission.noteStored(write.record.bytes, of: write.record.camera)
            if let recording = write.recording { spool.discard(recording) }
        }
    }

    private func insert(_ group: [PendingWrite]) throws(Problem) {
        let rows = group.compactMap { write -> FrameRow? in
            guard let path = write.path, let sha256 = write.record.sha256 else { return nil }
            return FrameRow(
                still: write.record,
                path: path.description,
                sha256: sha256,
                storedAt: spool.clock.wall,
                bootID: spool.site.bootID,
                storedMonotonic: spool.clock.now,
                isClockSynchronized: WallClock.isSynchronized,
                source: write.source
            )
        }
        try spool.catalog.insert(rows, isDurable: isFull, at: spool.clock.wall)
        spool.catalog.failures = 0
    }

    /// Inserts one row, after an optional earlier `failure`; renames the picture if the catalog already has its name.
    private func insertAlone(_ write: PendingWrite, _ failure: Problem?) {
        do throws(Problem) {
            do throws(Problem) {
                if let failure { throw failure }
                try insert([write])
            } catch {
                guard try renameIfTaken(write) else { throw error }
                try insert([write])
            }
        } catch {
            spool.catalog.failures += 1
            fail(write, spool.files.judged(error, in: spool.folder))
        }
    }

    /// Renames a picture if a row or tombstone, whose file was removed, has its path; false if none has.
    private func renameIfTaken(_ write: PendingWrite) throws(Problem) -> Bool {
        guard let path = write.path, try spool.catalog.tombstones.isTaken(path: path.description) else { return false }
        var next = path
        repeat { next.attempt += 1 } while try spool.catalog.tombstones.isTaken(path: next.description)
        write.path = try asProblem(try spool.tree.move("\(spool.folder)/\(path)", to: next))
        if isFull { try asProblem(try spool.tree.flush(path)) }
        return true
    }

    /// Step `show link`: renames a link into place, remade if another still is the newest that got its row.
    private func showLink(_ link: PreparedLink, of camera: String, _ newest: PendingWrite?) {
        guard let newest, let path = newest.path else { return spool.discard(link.path) }
        do throws(FileError) {
            if path != link.target {
                try spool.files.remove(link.path)
                try spool.latest.prepare(link.path, of: camera, to: path.withinCamera)
            }
            try spool.latest.show(link.path, of: camera, newest.recency)
        } catch {
            // The picture is stored as promised; only the link is outdated.
            spool.discard(link.path)
            spool.logger.warning("\(error) latest.jpg stays as it was.", metadata: ["camera": "\(camera)"])
        }
    }

    /// Newest intact still of each camera, if newer than the one that `latest.jpg` shows.
    private func newest(of group: [PendingWrite]) -> [String: PendingWrite] {
        var newest: [String: PendingWrite] = [:]
        for write in group where write.problem == nil && write.isStill {
            let camera = write.record.camera
            guard !spool.configuration.ownLatest.contains(camera) else { continue }
            // Newer ones may have been stored earlier.
            let before = newest[camera]?.recency ?? spool.latest.shown[camera]
            if before.map({ write.recency > $0 }) ?? true { newest[camera] = write }
        }
        return newest
    }

    /// A link in `.incoming`, and the picture that it leads to.
    private typealias PreparedLink = (path: String, target: SpoolPath)

    /// Removes a picture that already has its final name.
    private func fail(_ write: PendingWrite, _ problem: Problem) {
        write.problem = problem
        guard let path = write.path else { return }
        spool.discard("\(spool.folder)/\(path)", isFlushed: isFull)
    }
}

/// A still on its way into the spool.
///
/// Its variables belong to one thread at a time, a writing thread or the storage thread. The client that waits
/// for the reply uses only ``reply`` and ``dropPicture()``, which are safe on any thread.
final class PendingWrite: @unchecked Sendable {
    /// Order of request within a spool.
    let number: UInt64
    let durability: Durability
    let source: FrameSource
    let reply: Reply<StillRecord>
    private let content: Mutex<[UInt8]?>

    /// Gets `sha256` with the file, `stored` with the row, `path` with the reply.
    var record: StillRecord
    /// Absolute path of the written file in `.incoming`.
    var temporary = ""
    var ending = "jpg"
    /// Recording of a clip, which is removed once the clip has its row.
    var recording: String?
    /// Final name; nil before it has one.
    var path: SpoolPath?
    /// Reason why the still is not stored; nil so far.
    var problem: Problem?

    init(number: UInt64, _ still: Still, _ durability: Durability, _ source: FrameSource, clock: any MonotonicClock) {
        (self.number, self.durability, self.source) = (number, durability, source)
        reply = Reply(clock: clock)
        content = Mutex(still.picture)
        record = still.record
        record.bytes = still.picture.count
    }

    /// Order among pictures of the same camera since the daemon's start: by capture time, since several stills, also
    /// past ones, may be stored concurrently; stills of the same frame by order of request.
    var recency: Recency { (record.capturedMonotonicNs ?? 0, number) }

    var isStill: Bool { record.kind == nil }

    /// Nil once dropped.
    var picture: [UInt8]? { content.withLock(\.self) }

    /// Frees the picture: no client waits for it any more, and the disk may never respond.
    func dropPicture() { content.withLock { $0 = nil } }
}

typealias Recency = (capturedMonotonicNs: Int64, number: UInt64)
