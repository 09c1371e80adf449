// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeModel

extension Storage {
    /// Reads a stored picture.
    ///
    /// Throws `frame-not-found`, `corrupt-only` if the file differs from the stored picture, and `spool-unavailable`.
    func picture(of id: FrameID) throws(Problem) -> [UInt8] {
        let row = try row(id)
        switch try asProblem(try StoredPicture(row, in: folder, files)) {
        case .whole(let bytes): return bytes
        case .gone: throw .gone(row, in: folder)
        case .wrong(let why): throw reject(row, why)
        }
    }

    /// Sets a wrong file aside and returns the problem for clients.
    ///
    /// If that fails, the file stays and is rejected each time.
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
    fileprivate static func gone(_ row: FrameRow, in folder: String) -> Problem {
        Problem(
            .frameNotFound,
            "The frame \(row.id) is in the catalog, but its file is gone: \(folder)/\(row.path).",
            remedy: "Put the file back (look in \(folder)/.quarantine too), then run “tintype frames verify”."
        )
    }

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
