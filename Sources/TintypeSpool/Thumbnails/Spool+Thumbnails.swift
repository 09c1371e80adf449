// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension Spool {
    /// A stored picture no wider than `width` pixels, of ``ThumbnailWidth/range``, as a JPEG file; the picture itself
    /// where it is no wider.
    ///
    /// It is kept in `.thumbnails` within the budget of the configuration. Making one never holds up a still. Throws
    /// `frame-not-found`, `spool-unavailable`, `corrupt-only` for a file that cannot be decoded or is not what was stored,
    /// `configuration-unsupported` for one that would take too much memory, and `deadline-exceeded`.
    package func thumbnail(
        of id: FrameID,
        width: Int,
        until deadline: MonotonicTime
    ) async throws(Problem) -> [UInt8] {
        let verb = "look up the picture"
        let (store, row) = try await perform(verb, until: deadline) { storage throws(Problem) in
            (storage.thumbnails, try storage.row(id))
        }
        guard row.size.width > width else { return try await picture(of: id, until: deadline) }
        switch try await store.thumbnail(ThumbnailName(id, width: width), of: row, until: deadline) {
        case .whole(let thumbnail): return thumbnail
        case .gone: throw .gone(row, in: folder)
        case .wrong(let why):
            let problem = try await perform(verb, until: deadline) { storage in storage.reject(row, why) }
            throw problem
        }
    }
}
