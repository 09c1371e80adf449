// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// An export in progress; holds one picture at a time, or a part of a film.
struct PictureExport {
    struct Summary: Hashable, Encodable {
        var exported = 0
        var bytes = 0
        /// Frames whose picture is lost, or deleted meanwhile.
        var missing: [FrameID] = []
        /// Frames whose file differs from the stored picture.
        var damaged: [FrameID] = []

        var label: String { "\(exported), \(HumanBytes.rounded(bytes))" }

        /// Problem for damaged and missing pictures; nil if all were exported.
        var problem: Problem? {
            if let first = damaged.first {
                let remedy =
                    "See “tintype frames show” for their files, and the daemon's log for what is wrong with them; the "
                    + "others are exported."
                return Problem(.corruptOnly, sentence(damaged, first, "damaged"), remedy: remedy)
            }
            guard let first = missing.first else { return nil }
            let remedy = "See “tintype frames show” for whether they are lost; the others are exported."
            return Problem(.frameNotFound, sentence(missing, first, "missing"), remedy: remedy)
        }

        private func sentence(_ frames: [FrameID], _ first: FrameID, _ word: String) -> String {
            let all = CountText.text(exported + missing.count + damaged.count, "picture")
            let share = "\(frames.count) of \(all)"
            return frames.count == 1
                ? "\(share) is \(word): \(first)." : "\(share) are \(word), the first of them \(first)."
        }
    }

    private(set) var target: FolderExport
    let client: ControlClient
    private(set) var names: ExportNames
    var summary = Summary()

    /// Exports a picture, which the daemon verifies: a deleted one counts as missing, an altered one as damaged.
    ///
    /// Does not read the spool's files directly: this user may have permission to read more than the daemon.
    mutating func add(_ frame: FrameRecord) async throws {
        do {
            let name = names.name(of: frame)
            summary.bytes += try await target.add(frame, as: name) { try await client.file(of: frame.id, each: $0) }
            summary.exported += 1
        } catch let problem as Problem where problem.code == .frameNotFound {
            summary.missing.append(frame.id)
        } catch let problem as Problem where problem.code == .corruptOnly {
            summary.damaged.append(frame.id)
        }
    }
}
