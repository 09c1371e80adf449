// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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
