// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

extension ThumbnailStore {
    /// The thumbnail of that name of a row's picture: the one that is kept, or a new one, which is kept then; or what is
    /// wrong with the picture's file, of which one that is kept only needs the length to be right.
    ///
    /// Throws `spool-unavailable`, `corrupt-only` where it cannot be decoded, `configuration-unsupported` where that would
    /// take too much memory, and `deadline-exceeded`.
    func thumbnail(
        _ name: ThumbnailName,
        of row: FrameRow,
        until deadline: MonotonicTime
    ) async throws(Problem) -> StoredPicture {
        try await thread.perform(until: deadline, otherwise: .late("The thumbnail of \(name.id) could not be made")) {
            _ throws(Problem) in
            let picture: StoredPicture
            do throws(FileError) {
                if let wrong = try StoredPicture.wrongAtFirstSight(row, in: self.spool, self.files) { return wrong }
                if let kept = self.picture(name) { return .whole(kept) }
                picture = try StoredPicture(row, in: self.spool, self.files)
            } catch {
                throw error.problem
            }
            guard case .whole(let bytes) = picture else { return picture }
            let path = "\(self.spool)/\(row.path)"
            let thumbnail = try Self.made(of: bytes, width: name.width, path)
            self.keep(thumbnail, as: name, of: path)
            return .whole(thumbnail)
        }
    }

    /// The room that all of them take; throws `deadline-exceeded`.
    func bytes(until deadline: MonotonicTime) async throws(Problem) -> Int {
        try await thread.perform(until: deadline, otherwise: .late("The thumbnails could not be counted")) {
            _ throws(Problem) in self.bytes
        }
    }

    private static func made(of picture: [UInt8], width: Int, _ path: String) throws(Problem) -> [UInt8] {
        do throws(ImagingError) {
            return try JPEGThumbnail.make(of: picture.rawSpan, width: width)
        } catch {
            if case .refused(let problem) = error { throw problem }
            throw Problem(
                .corruptOnly,
                "Cannot make a thumbnail of \(path): \(error)",
                remedy: "Fetch the picture itself, and look for more such files with “tintype frames verify --deep”."
            )
        }
    }
}

extension Problem {
    fileprivate static func late(_ what: String) -> Problem {
        Problem(
            .deadlineExceeded,
            "\(what) in time.",
            remedy: "Ask for fewer at once, and look at the load of processor and disk.",
            retryAfter: .seconds(1)
        )
    }
}
