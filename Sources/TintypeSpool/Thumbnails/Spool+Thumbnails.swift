// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension Spool {
    /// A stored picture no wider than `width` pixels, of ``ThumbnailWidth/range``, as a JPEG file; the picture itself
    /// where it is no wider.
    ///
    /// It is kept in `.thumbnails` within the budget of the configuration. Making one never holds up a still. Throws
    /// `frame-not-found`, `spool-unavailable`, `corrupt-only` for a file that cannot be decoded,
    /// `configuration-unsupported` for one that would take too much memory, and `deadline-exceeded`.
    package func thumbnail(
        of id: FrameID,
        width: Int,
        until deadline: MonotonicTime
    ) async throws(Problem) -> [UInt8] {
        let (store, path, isSmall) = try await perform("look up the picture", until: deadline) {
            storage throws(Problem) in
            let row = try storage.row(id)
            return (storage.thumbnails, "\(storage.folder)/\(row.path)", row.size.width <= width)
        }
        if isSmall { return try await picture(of: id, until: deadline) }
        return try await store.thumbnail(ThumbnailName(id, width: width), of: path, until: deadline)
    }
}
