// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// An export while it goes on: one picture after the other, none of them kept.
struct PictureExport {
    struct Summary: Hashable, Encodable {
        var exported = 0
        var bytes = 0
        /// Frames without a picture: deleted meanwhile, or lost.
        var missing: [FrameID] = []
        /// Frames whose files are not the pictures that were stored.
        var damaged: [FrameID] = []

        /// As it is shown while it goes on.
        var label: String { "\(exported), \(HumanBytes.rounded(bytes))" }

        /// The damaged and the missing pictures, as the failure of the whole; nil where all are there.
        var problem: Problem? {
            if let first = damaged.first {
                return Problem(
                    .corruptOnly,
                    sentence(damaged, first, "damaged"),
                    remedy:
                        "See “tintype frames show” for their files, and the daemon's log for what is wrong with them; the "
                        + "others are exported."
                )
            }
            guard let first = missing.first else { return nil }
            return Problem(
                .frameNotFound,
                sentence(missing, first, "missing"),
                remedy: "See “tintype frames show” for whether they are lost; the others are exported."
            )
        }

        private func sentence(_ frames: [FrameID], _ first: FrameID, _ word: String) -> String {
            let share = "\(frames.count) of \(exported + missing.count + damaged.count) pictures"
            return frames.count == 1
                ? "\(share) is \(word): \(first)." : "\(share) are \(word), the first of them \(first)."
        }
    }

    private(set) var target: FolderExport
    let client: ControlClient
    private(set) var names: ExportNames
    var summary = Summary()

    /// Adds the picture of a frame, which the daemon has compared with what was stored; one that is gone is missing, one
    /// that differs damaged.
    ///
    /// Files are not read here: this user may be allowed to read more than the daemon.
    mutating func add(_ frame: FrameRecord) async throws {
        let picture: [UInt8]
        do {
            picture = try await client.image(of: frame.still.id)
        } catch let problem as Problem where problem.code == .frameNotFound {
            summary.missing.append(frame.id)
            return
        } catch let problem as Problem where problem.code == .corruptOnly {
            summary.damaged.append(frame.id)
            return
        }
        try target.add(frame, picture, as: names.name(of: frame))
        summary.exported += 1
        summary.bytes += picture.count
    }
}
