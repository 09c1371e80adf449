// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct RetentionExcess: Hashable, Sendable {
    private struct Part: Hashable {
        let camera: String?
        let limit: String
        var frames = 0
        var bytes = 0
        /// True for a configured number of stills.
        var isNumber = false

        var isOpen: Bool { frames > 0 || bytes > 0 }
        var rule: String { (camera.map { "\($0): " } ?? "") + limit }

        func concerns(_ row: FrameRow) -> Bool {
            (camera == nil || camera == row.camera) && (row.kind == nil || !isNumber)
        }
    }

    private var parts: [Part] = []
    /// Bytes to free on the file system.
    private(set) var free: Int
    /// Bytes that were needed but cannot be freed by deleting pictures.
    private(set) var unreachable = 0

    /// Computes the excess of `totals` plus `adding`, by camera, over `plan`, with `free` bytes and `files` inodes
    /// missing on the file system.
    ///
    /// If `adding` is not empty, only limits on its cameras are checked. `before` are totals allowed in spite of the
    /// limits, since a lowered limit is not enforced at once. `slack` adds a hundredth of the limit, at most 64
    /// pictures, so that not every new picture waits for deletions. If pictures are kept until they are uploaded,
    /// limits on their number are left to the background: they refuse no new picture.
    init(
        _ plan: RetentionPlan,
        totals: [String: FrameTotals],
        adding: [String: FrameTotals] = [:],
        before: [String: FrameTotals] = [:],
        free: Int = 0,
        files: Int = 0,
        slack: Bool = false
    ) {
        self.free = free
        if files > 0 { parts.append(Part(camera: nil, limit: "minFree (inodes)", frames: files)) }
        for cap in plan.caps where adding.isEmpty || cap.camera.map({ adding[$0] != nil }) ?? true {
            let (frames, bytes) = cap.sum(totals, adding)
            let before = cap.sum(before)
            if let most = cap.frames, adding.isEmpty || !plan.keepsWaiting, frames > max(most, before.frames) {
                let extra = slack && before.frames <= most ? min(64, most / 100) : 0
                let surplus = frames - max(most, before.frames) + extra
                parts.append(Part(camera: cap.camera, limit: "maxFrames \(most)", frames: surplus, isNumber: true))
            }
            if let most = cap.bytes, bytes > max(most, before.bytes) {
                let extra = slack && before.bytes <= most ? min(64 * (bytes / max(1, frames)), most / 100) : 0
                let surplus = bytes - max(most, before.bytes) + extra
                parts.append(Part(camera: cap.camera, limit: "maxBytes \(HumanBytes.text(most))", bytes: surplus))
            }
        }
    }

    var isCovered: Bool { free == 0 && !parts.contains(where: \.isOpen) }

    /// Cameras whose pictures may be deleted; nil for all.
    var cameras: Set<String>? {
        let open = parts.filter(\.isOpen)
        guard free == 0, !open.contains(where: { $0.camera == nil }) else { return nil }
        return Set(open.compactMap(\.camera))
    }

    var limits: String { (parts.filter(\.isOpen).map(\.rule) + (free > 0 ? [Self.room] : [])).joined(separator: ", ") }

    /// Rule by which a frame would be deleted; nil if it would not be.
    func rule(for row: FrameRow) -> String? {
        parts.first { $0.isOpen && $0.concerns(row) }?.rule ?? (free > 0 ? Self.room : nil)
    }

    /// Rule of deletions for free space on the file system.
    static let room = "minFree"

    /// Gives up the limits on the number of pictures.
    mutating func giveUpFrames() {
        for index in parts.indices where parts[index].isNumber { parts[index].frames = 0 }
    }

    mutating func giveUpRoom() { (unreachable, free) = (unreachable + free, 0) }

    mutating func take(_ row: FrameRow) {
        for index in parts.indices where parts[index].concerns(row) {
            parts[index].frames = max(0, parts[index].frames - 1)
            parts[index].bytes = max(0, parts[index].bytes - row.bytes)
        }
        free = max(0, free - Self.onDisk(row.bytes))
    }

    /// Disk usage of a file of that length, with blocks of 4 KiB.
    static func onDisk(_ bytes: Int) -> Int { (bytes + 4095) / 4096 * 4096 }
}
