// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// By how much there is more in a spool than its limits allow.
struct RetentionExcess: Hashable, Sendable {
    /// The excess over one limit; never negative.
    private struct Part: Hashable {
        let camera: String?
        let limit: String
        var frames = 0
        var bytes = 0

        var isOpen: Bool { frames > 0 || bytes > 0 }
        var rule: String { (camera.map { "\($0): " } ?? "") + limit }

        func concerns(_ camera: String) -> Bool { self.camera == nil || self.camera == camera }
    }

    private var parts: [Part] = []
    /// Bytes that must become free on the file system.
    private(set) var free: Int
    /// Bytes that had to become free, and would not if more pictures went.
    private(set) var unreachable = 0

    /// The excess of `totals`, by camera, if pictures with the totals `adding` come.
    ///
    /// - Parameters:
    ///   - plan: the limits.
    ///   - totals: what is there.
    ///   - adding: what comes, by camera; if something does, only limits on it are looked at.
    ///   - before: what there may be all the same, by camera: a limit that was lowered is not reached at once.
    ///   - free: how many bytes too few are free.
    ///   - slack: whether a hundredth more goes than must, at most 64 pictures, so that not every picture that comes has
    ///     to wait for others to go.
    init(
        _ plan: RetentionPlan,
        totals: [String: FrameTotals],
        adding: [String: FrameTotals] = [:],
        before: [String: FrameTotals] = [:],
        free: Int = 0,
        slack: Bool = false
    ) {
        self.free = free
        for cap in plan.caps where adding.isEmpty || cap.camera.map({ adding[$0] != nil }) ?? true {
            let (frames, bytes) = cap.sum(totals, adding)
            let before = cap.sum(before)
            if let most = cap.frames, frames > max(most, before.frames) {
                let extra = slack && before.frames <= most ? min(64, most / 100) : 0
                let surplus = frames - max(most, before.frames) + extra
                parts.append(Part(camera: cap.camera, limit: "maxFrames \(most)", frames: surplus))
            }
            if let most = cap.bytes, bytes > max(most, before.bytes) {
                let extra = slack && before.bytes <= most ? min(64 * (bytes / max(1, frames)), most / 100) : 0
                let surplus = bytes - max(most, before.bytes) + extra
                parts.append(Part(camera: cap.camera, limit: "maxBytes \(HumanBytes.text(most))", bytes: surplus))
            }
        }
    }

    /// Whether nothing must be deleted any more.
    var isCovered: Bool { free == 0 && !parts.contains(where: \.isOpen) }

    /// The cameras whose pictures may be deleted; nil for all.
    var cameras: Set<String>? {
        let open = parts.filter(\.isOpen)
        guard free == 0, !open.contains(where: { $0.camera == nil }) else { return nil }
        return Set(open.compactMap(\.camera))
    }

    /// The limits that are exceeded, as a sentence names them.
    var limits: String {
        (parts.filter(\.isOpen).map(\.rule) + (free > 0 ? [Self.room] : [])).joined(separator: ", ")
    }

    /// Why a picture of that camera would be deleted; nil if it would not.
    func rule(for camera: String) -> String? {
        parts.first { $0.isOpen && $0.concerns(camera) }?.rule ?? (free > 0 ? Self.room : nil)
    }

    /// The rule by which pictures go for room on the file system.
    static let room = "minFree"

    /// Wants no more room.
    mutating func giveUpRoom() { (unreachable, free) = (unreachable + free, 0) }

    /// Counts a picture of that camera and size as gone.
    mutating func take(_ camera: String, bytes: Int) {
        for index in parts.indices where parts[index].concerns(camera) {
            parts[index].frames = max(0, parts[index].frames - 1)
            parts[index].bytes = max(0, parts[index].bytes - bytes)
        }
        free = max(0, free - Self.onDisk(bytes))
    }

    /// The bytes that a file of that length takes on a disk with blocks of 4 KiB.
    static func onDisk(_ bytes: Int) -> Int { (bytes + 4095) / 4096 * 4096 }
}
