// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

extension ThumbnailStore {
    /// The thumbnail of that name of the picture at `path`: the one that is kept, or a new one, which is kept then.
    ///
    /// Throws `frame-not-found` where the picture's file is gone, `spool-unavailable`, `corrupt-only` where it cannot be
    /// decoded, `configuration-unsupported` where that would take too much memory, and `deadline-exceeded`.
    func thumbnail(
        _ name: ThumbnailName,
        of path: String,
        until deadline: MonotonicTime
    ) async throws(Problem) -> [UInt8] {
        try await thread.perform(until: deadline, otherwise: .late("The thumbnail of \(name.id) could not be made")) {
            _ throws(Problem) in
            if let kept = self.picture(name) { return kept }
            let thumbnail = try Self.made(of: try self.original(path, name.id), width: name.width, path)
            self.keep(thumbnail, as: name, of: path)
            return thumbnail
        }
    }

    /// The room that all of them take; throws `deadline-exceeded`.
    func bytes(until deadline: MonotonicTime) async throws(Problem) -> Int {
        try await thread.perform(until: deadline, otherwise: .late("The thumbnails could not be counted")) {
            _ throws(Problem) in self.bytes
        }
    }

    private func original(_ path: String, _ id: FrameID) throws(Problem) -> [UInt8] {
        do throws(FileError) {
            if try files.status(of: path, following: false)?.kind == .file {
                return try files.read(path, atMost: FileLimit.picture)
            }
        } catch  where error.code != ENOENT {
            throw error.problem
        } catch {}  // removed since it was looked at
        throw Problem(
            .frameNotFound,
            "The file of the frame \(id) is gone: \(path).",
            remedy: "Put it back, or have the catalog put right by “tintype frames verify”."
        )
    }

    private static func made(of picture: [UInt8], width: Int, _ path: String) throws(Problem) -> [UInt8] {
        do throws(ImagingError) {
            return try JPEGThumbnail.make(of: picture, width: width)
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
