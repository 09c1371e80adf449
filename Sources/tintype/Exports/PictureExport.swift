// SPDX-License-Identifier: Apache-2.0
internal import TintypeClient
internal import TintypeModel

/// An export while it goes on: one picture after the other, none of them kept.
struct PictureExport {
    /// What an export has become.
    struct Summary: Hashable, Encodable {
        /// Pictures that are in it.
        var exported = 0
        /// Their bytes.
        var bytes = 0
        /// Frames without a picture: deleted meanwhile, or lost.
        var missing: [FrameID] = []

        /// As it is shown while it goes on.
        var label: String { "\(exported), \(ByteText.text(bytes))" }

        /// The missing pictures, as the failure of the whole; nil where all are there.
        var problem: Problem? {
            guard let first = missing.first else { return nil }
            let share = "\(missing.count) of \(exported + missing.count) pictures"
            return Problem(
                .frameNotFound,
                missing.count == 1
                    ? "\(share) is missing: \(first)." : "\(share) are missing, the first of them \(first).",
                remedy: "See “tintype frames show” for whether they are lost; the others are exported."
            )
        }
    }

    private var target: any ExportTarget
    private let source: PictureSource<ControlClient>
    private var names: ExportNames
    private let manifest: ManifestLines
    /// What it has become so far.
    var summary = Summary()

    init(to target: any ExportTarget, from source: PictureSource<ControlClient>, names: ExportNames) throws {
        self.target = target
        self.source = source
        self.names = names
        manifest = try ManifestLines()
    }

    /// Adds the picture of a frame; one that is gone is missing.
    mutating func add(_ frame: FrameRecord) async throws {
        let picture: [UInt8]
        do {
            picture = try await source.picture(of: frame)
        } catch let problem as Problem where problem.code == .frameNotFound {
            summary.missing.append(frame.id)
            return
        }
        let name = names.name(of: frame)
        try target.add(name, picture, at: frame.still.capturedAt)
        try manifest.add(frame, file: name)
        summary.exported += 1
        summary.bytes += picture.count
    }

    /// Adds the manifest and makes the export whole.
    mutating func finish() throws { try target.finish(manifest) }
}
