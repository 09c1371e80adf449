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
        guard !output.isEmpty, output != "-" else { throw ValidationError("--output needs the name of a folder.") }
        // An existing folder is accepted whatever its name.
        let isFolder = (try? SystemCalls.mode(output)).map { $0 & S_IFMT == S_IFDIR } ?? false
        if !isFolder, let fault = FileEnding.fault(ofExport: output) { throw ValidationError(fault) }
    }

    func run() async throws {
        let chosen = try choice.frames()
        let folders = try await spoolFolders()
        // Fails before any picture is fetched.
        let target = try FolderExport(output)
        var export = PictureExport(target: target, client: client, names: ExportNames(folders: folders))
        let progress = ProgressBar(isShown: !isJSON)
        var unavailable: Problem?
        do {
            defer { progress.clear() }
            try await fetch(chosen, to: &export, progress)
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

    private func fetch(_ chosen: ChosenFrames, to export: inout PictureExport, _ progress: ProgressBar) async throws {
        switch chosen {
        case .named(let ids):
            for (index, id) in ids.enumerated() {
                progress.update(Double(index) / Double(ids.count), export.summary.label)
                do {
                    try await export.add(try await client.frame(id))
                } catch let problem as Problem where problem.code == .frameNotFound {
                    export.summary.missing.append(id)
                }
            }
        case .fitting(let filter):
            let walk = FrameWalk(client: client, filter: filter, order: .oldest)
            let span = try await walk.span()
            // Small pages: frames deleted by retention after they were listed count as missing.
            try await walk.pages(of: 100) { frames, _ in
                for frame in frames {
                    progress.update(span?.share(before: frame.still.capturedAt), export.summary.label)
                    try await export.add(frame)
                }
            }
        }
    }
}
