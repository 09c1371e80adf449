// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeModel

struct FramesExportCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy stored pictures into a folder, with a manifest.",
        discussion: """
            Pictures keep their names from the spool; manifest.jsonl has one line of JSON for each picture, its \
            record with the name of its file. An interrupted export continues where it stopped.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Option(name: .shortAndLong, help: ArgumentHelp("The target folder.", valueName: "folder"), completion: .directory)
    var output: String

    func validate() throws {
        try choice.require()
        try ensure(!output.isEmpty && output != "-", "--output needs the name of a folder.")
        // An existing folder is accepted whatever its name.
        if !SystemCalls.isFolder(output), let fault = FileEnding.fault(ofExport: output) {
            throw ValidationError(fault)
        }
    }

    func run() async throws {
        let chosen = try choice.frames()
        let names = ExportNames(folders: try await spoolFolders())
        // Fails before any picture is fetched.
        let target = try FolderExport(output)
        var export = PictureExport(target: target, client: client, names: names)
        let progress = ProgressBar(isShown: !isJSON)
        var unavailable: Problem?
        do {
            defer { progress.clear() }
            // Small pages: frames deleted by retention after they were listed count as missing.
            let missing = try await client.records(of: chosen, .oldest, by: 100, isMeasured: true) { frames, share in
                for frame in frames {
                    progress.update(share(frame), export.summary.label)
                    try await export.add(frame)
                }
            }
            export.summary.missing += missing
        } catch let problem as Problem where problem.code == .spoolUnavailable && export.summary.exported > 0 {
            // The export of the other spools is complete.
            unavailable = problem
        }
        try export.target.finish()
        let summary = export.summary
        let count = CountText.text(summary.exported, "picture")
        try write(summary) { "\(count), \(HumanBytes.rounded($0.bytes)) bytes, to \(output)\n" }
        if let problem = unavailable ?? summary.problem { throw problem }
    }

    /// Spool folders to strip from the exported names; empty for a client with access to only some pictures.
    private func spoolFolders() async throws -> [String] {
        do {
            return try await client.spools().spools.map(\.folder)
        } catch let problem as Problem where problem.code == .accessDenied {
            return []
        }
    }
}

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
