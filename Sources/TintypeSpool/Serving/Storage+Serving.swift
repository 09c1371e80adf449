// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

extension Storage {
    /// The bytes of a stored picture.
    ///
    /// Throws `frame-not-found`, `corrupt-only` where its file has other bytes than were stored, and `spool-unavailable`.
    func picture(of id: FrameID) throws(Problem) -> [UInt8] {
        let row = try row(id)
        switch try asProblem(try StoredPicture(row, in: folder, files)) {
        case .whole(let bytes): return bytes
        case .gone: throw .gone(row, in: folder)
        case .wrong(let why): throw reject(row, why)
        }
    }

    /// Sets a picture aside that is not what was stored, and returns what a client is told of it.
    ///
    /// A file that cannot be set aside stays, and is found wrong each time.
    private func reject(_ row: FrameRow, _ why: String) -> Problem {
        do throws(Problem) {
            _ = try setAside(row)
        } catch {
            logger.warning("\(error) The file of the frame \(row.id) stays where it is.")
        }
        return .wrong(row, why, in: folder)
    }
}

extension Problem {
    /// A row's file is not there.
    fileprivate static func gone(_ row: FrameRow, in folder: String) -> Problem {
        Problem(
            .frameNotFound,
            "The frame \(row.id) is in the catalog, but its file is gone: \(folder)/\(row.path).",
            remedy: "Put the file back (look in \(folder)/.quarantine too), then run “tintype frames verify”."
        )
    }

    /// A row's file is not the picture that was stored.
    fileprivate static func wrong(_ row: FrameRow, _ why: String, in folder: String) -> Problem {
        Problem(
            .corruptOnly,
            "The file of the frame \(row.id) is not the picture that was stored: \(why).",
            remedy:
                "Put a copy of the picture at \(folder)/\(row.path), then run “tintype frames verify”. The damaged file "
                + "is in \(folder)/.quarantine. Look for errors of the disk in the kernel's log (dmesg)."
        )
    }
}
