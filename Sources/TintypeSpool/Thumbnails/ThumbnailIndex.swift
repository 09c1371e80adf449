// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Which thumbnails there are, how much room they take, and which of them was used last.
struct ThumbnailIndex {
    private struct Entry {
        var bytes: Int
        /// A number that grows with each use.
        var use: UInt64
    }

    private var entries: [FrameID: [Int: Entry]] = [:]
    private var uses: UInt64 = 0
    /// The room that all of them take.
    private(set) var bytes = 0

    /// Notes a file of so many bytes, which counts as its use.
    mutating func put(_ name: ThumbnailName, bytes count: Int) {
        take(name)
        uses += 1
        let room = RetentionExcess.onDisk(count)
        entries[name.id, default: [:]][name.width] = Entry(bytes: room, use: uses)
        bytes += room
    }

    /// Notes a use; false where there is no such file.
    mutating func use(_ name: ThumbnailName) -> Bool {
        guard entries[name.id]?[name.width] != nil else { return false }
        uses += 1
        entries[name.id]?[name.width]?.use = uses
        return true
    }

    /// Forgets one file.
    mutating func take(_ name: ThumbnailName) {
        guard let entry = entries[name.id]?.removeValue(forKey: name.width) else { return }
        bytes -= entry.bytes
        if entries[name.id]?.isEmpty == true { entries[name.id] = nil }
    }

    /// Forgets all files of a frame and returns their names.
    mutating func take(allOf id: FrameID) -> [ThumbnailName] {
        guard let widths = entries.removeValue(forKey: id) else { return [] }
        bytes -= widths.values.reduce(0) { $0 + $1.bytes }
        return widths.keys.sorted().map { ThumbnailName(id, width: $0) }
    }

    /// Forgets the files that were used longest ago until the rest takes at most `most` bytes, and returns their names,
    /// the one that was used first of all first.
    mutating func take(downTo most: Int) -> [ThumbnailName] {
        guard bytes > most else { return [] }
        let all = entries.flatMap { id, widths in
            widths.map { (name: ThumbnailName(id, width: $0.key), use: $0.value.use) }
        }
        var taken: [ThumbnailName] = []
        for (name, _) in all.sorted(by: { $0.use < $1.use }) {
            if bytes <= most { break }
            take(name)
            taken.append(name)
        }
        return taken
    }
}

/// The name of a thumbnail's file in `.thumbnails`: `01937a2e-7c11-7abc-8def-0123456789ab-320.jpg`.
struct ThumbnailName: Hashable {
    /// The frame that it is of.
    var id: FrameID
    /// The width that was asked for.
    var width: Int

    init(_ id: FrameID, width: Int) {
        self.id = id
        self.width = width
    }

    /// Reads what ``description`` writes; nil for anything else.
    init?(_ text: String) {
        guard text.utf8.count > 37, text.hasSuffix(".jpg"), let id = FrameID(String(text.prefix(36))),
            let width = Int(text.dropFirst(37).dropLast(4)), width > 0
        else { return nil }
        self.init(id, width: width)
        guard description == text else { return nil }
    }
}

extension ThumbnailName: CustomStringConvertible {
    /// The file's name.
    var description: String { "\(id)-\(width).jpg" }
}
