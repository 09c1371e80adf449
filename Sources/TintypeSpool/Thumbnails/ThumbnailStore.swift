// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeThreads

/// The thumbnails that a spool keeps in `.thumbnails`, within a budget: those used longest ago go first.
///
/// They can be made again at any time, so they are not flushed, and they give way before any picture does. After a start,
/// those of the oldest frames count as used longest ago. All calls block: those that look at every file are made on
/// ``thread``, the others on the storage thread too.
final class ThumbnailStore: Sendable {
    /// The known contents of the folder.
    enum State {
        case unread
        /// It is being read; these frames were deleted since that began.
        case reading(gone: Set<FrameID>)
        case read(ThumbnailIndex)

        /// Does `body` with what is known of every file, which is not copied for that; nil while that is not known.
        mutating func change<Value>(_ body: (inout ThumbnailIndex) -> Value) -> Value? {
            guard case .read(var index) = self else { return nil }
            // Else there were two of it, and the first change would copy all of it.
            self = .unread
            defer { self = .read(index) }
            return body(&index)
        }
    }

    /// If less than this is left besides the bytes that must stay free, no thumbnail is kept.
    private static let reserve: UInt64 = 16 << 20

    let files: any FileSystem
    private let settings: Mutex<Spool.Configuration>
    let logger: Logger
    let state = Mutex(State.unread)
    private let hasFailed = OnceFlag()
    private let painter = Mutex<WorkerThreads<Void>?>(nil)

    var spool: String { configuration.folder }
    var folder: String { "\(spool)/.thumbnails" }

    /// Its rules can change; where it is stays.
    var configuration: Spool.Configuration {
        get { settings.withLock(\.self) }
        set { settings.withLock { $0 = newValue } }
    }

    /// The thumbnails of the spool in the configuration's folder; reads nothing yet.
    init(_ configuration: Spool.Configuration, files: any FileSystem, logger: Logger) {
        settings = Mutex(configuration)
        self.files = files
        self.logger = logger
    }

    /// The thread that thumbnails are made on, started when the first is asked for: one of a large picture takes as
    /// long as many stills, which nothing on the storage thread may.
    var thread: WorkerThreads<Void> {
        painter.withLock { painter in
            let thread = painter ?? WorkerThreads(name: "tt-thumbnails", count: 1) {}
            painter = thread
            return thread
        }
    }

    /// The room that they take, in bytes; on ``thread``.
    var bytes: Int { withIndex { $0.bytes } }

    /// The same as far as it is known: 0 until their folder was read; on any thread.
    var knownBytes: Int {
        state.withLock { state in
            if case .read(let index) = state { index.bytes } else { 0 }
        }
    }

    /// The thumbnail of that name, if there is one and it is whole; on ``thread``.
    func picture(_ name: ThumbnailName) -> [UInt8]? {
        guard withIndex({ $0.use(name) }) else { return nil }
        // One that a power cut left torn, or that was removed, is made again.
        if let bytes = try? files.read(path(name), atMost: FileLimit.thumbnail),
            (try? WholePicture.size(of: bytes)) != nil
        {
            return bytes
        }
        withIndex { $0.take(name) }
        return nil
    }

    /// Keeps a thumbnail of the picture at `picture`, and drops others that are more than the budget then; on
    /// ``thread``.
    ///
    /// One that cannot be kept is none of the caller's troubles: it is logged, once at warning.
    func keep(_ bytes: [UInt8], as name: ThumbnailName, of picture: String) {
        let room = RetentionExcess.onDisk(bytes.count)
        guard room <= configuration.thumbnailBytes else { return }
        do throws(FileError) {
            let available = try files.availableBytes(at: spool)
            guard available >= Self.reserve + configuration.retention.minFree + UInt64(room) else { return }
            try write(bytes, name)
            let surplus = withIndex { index in
                index.put(name, bytes: bytes.count)
                // Some more than necessary, so that not each new one costs a look at all of them.
                let budget = configuration.thumbnailBytes
                return index.bytes > budget ? index.take(downTo: budget / 10 * 9) : []
            }
            for name in surplus { try files.remove(path(name)) }
            // The deletion of a picture removes its thumbnails after that: one of both sees this one.
            if try files.status(of: picture, following: false) == nil { remove([name.id]) }
        } catch {
            let level: Logger.Level = hasFailed.raise() ? .warning : .debug
            logger.log(level: level, "\(error) Thumbnails are made again for each request.")
        }
    }

    func path(_ name: ThumbnailName) -> String { "\(folder)/\(name)" }

    private func write(_ bytes: [UInt8], _ name: ThumbnailName) throws(FileError) {
        try files.makeFolderIfMissing(folder, mode: configuration.folderMode)
        let temporary = "\(spool)/.incoming/thumbnail-\(name)"
        try files.replaceFile(path(name), by: bytes, mode: configuration.fileMode, through: temporary)
    }

    /// Does `body` with what is known of every file, for which the folder is read if it was not yet.
    private func withIndex<Value: Sendable>(_ body: (inout ThumbnailIndex) -> Value) -> Value {
        readFolder()
        return state.withLock { state in
            if let value = state.change(body) { return value }
            // Asked on another thread while that goes on: as if there were none.
            var none = ThumbnailIndex()
            return body(&none)
        }
    }

    /// Reads the folder unless that was done; no client waits for it meanwhile.
    private func readFolder() {
        let isUnread = state.withLock { state in
            guard case .unread = state else { return false }
            state = .reading(gone: [])
            return true
        }
        guard isUnread else { return }
        var index = ThumbnailIndex()
        // The oldest frame first.
        for name in names() {
            guard let status = try? files.status(of: path(name), following: false), status.kind == .file else {
                continue
            }
            index.put(name, bytes: status.size)
        }
        state.withLock { state in
            if case .reading(let gone) = state { for id in gone { _ = index.take(allOf: id) } }
            state = .read(index)
        }
    }
}
