// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// What can still be read of a catalog that was set aside: pins and tags are in no file, nor is what was deleted.
///
/// On one thread, which it blocks.
struct CatalogSalvage {
    /// What one step has read; nothing does not mean the end.
    enum Part: Sendable {
        case tombstones([Tombstone])
        case frames([FrameRow])
    }

    /// Why it cannot be opened now, while later it may be; nil if it is open, or nothing can be read of it that is not in
    /// the files too.
    let obstacle: String?

    private let queue: DatabaseQueue?
    private var tombstones = SalvagedTable(name: "tombstone", key: "path")
    private var frames = SalvagedTable(name: "frame", key: "id")

    /// Opens a catalog that was set aside.
    init(path: String) {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(2)
        configuration.label = "salvage"
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let hasPins = try queue.read { try $0.columns(in: "frame").contains { $0.name == "pinned" } }
            (self.queue, obstacle) = (hasPins ? queue : nil, nil)
        } catch {
            queue = nil
            let isDamage = (error as? DatabaseError).map { Self.damages.contains($0.resultCode) } ?? false
            obstacle = isDamage ? nil : "\(error)"
        }
    }

    /// What SQLite says of what is no database, or none of ours.
    private static let damages: [ResultCode] = [
        .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT,
    ]

    /// The next that can be read, of `count` rows at most, what was deleted first; nil at the end.
    mutating func next(_ count: Int) -> Part? {
        guard let queue else { return nil }
        if !tombstones.isDone {
            let found: [Tombstone] = tombstones.next(count, of: queue, key: \.path) { database, sql, arguments, note in
                let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
                while let row = try rows.next() { note(Tombstone(checking: row)) }
            }
            return .tombstones(found.filter(\.isPlausible))
        }
        guard !frames.isDone else { return nil }
        let found: [FrameRow] = frames.next(count, of: queue, key: \.id.description) { database, sql, arguments, note in
            var rows = try SoundRows(database, sql, arguments)
            while let row = try rows.next() { note(try? row.get()) }
        }
        return .frames(found)
    }

    /// Closes it.
    func close() { try? queue?.close() }
}

extension Tombstone {
    /// What is read of a row of which nobody knows whether it is sound; nil where it is not.
    fileprivate init?(checking row: Row) {
        func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
            (row[column] as DatabaseValue?).flatMap { Value.fromDatabaseValue($0) }
        }
        guard let path: String = value("path"), let text: String = value("id"), let id = FrameID(text),
            let time: Int64 = value("deletedAt"), let sha256: String = value("sha256")
        else { return nil }
        self.init(path: path, id: id, deletedAt: Timestamp(microseconds: time), sha256: sha256)
    }

    /// Whether it is about a file in a camera's folder, and still counts.
    fileprivate var isPlausible: Bool { SpoolPath.isPossible(path) && deletedAt >= Self.oldest() }
}
