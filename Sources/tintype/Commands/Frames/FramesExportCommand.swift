// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames export ID... -o TARGET`.
struct FramesExportCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy stored pictures into a folder or a tar archive, with a manifest.",
        discussion: """
            The pictures have the names that they have in the spool; manifest.jsonl has the record of each with the \
            name of its file, a line of JSON. An export into a folder that was interrupted goes on where it was.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A folder, a name that ends with .tar, or - for an archive to stdout.", valueName: "target"),
        completion: .file()
    )
    var output: String

    func validate() throws {
        try choice.require()
        guard !output.isEmpty else { throw ValidationError("--output needs the name of a folder or an archive, or -.") }
    }

    func answer() async throws {
        let chosen = try choice.frames()
        let folders = try await client.spools().spools.map(\.folder)
        // Before anything is fetched that nobody would take.
        var export = try PictureExport(
            to: ExportDestination(output).open(),
            from: client,
            names: ExportNames(folders: folders)
        )
        let progress = ProgressBar(isShown: !isJSON)
        do {
            defer { progress.clear() }
            try await add(chosen, to: &export, progress)
        } catch let problem as Problem where problem.code == .spoolUnavailable && export.summary.exported > 0 {
            // What the other spools have is whole all the same.
            try export.finish()
            try report(export.summary)
            throw problem
        }
        try export.finish()
        try report(export.summary)
        if let problem = export.summary.problem { throw problem }
    }

    private func add(
        _ chosen: ChosenFrames,
        to export: inout PictureExport,
        _ progress: ProgressBar
    ) async throws {
        switch chosen {
        case .named(let ids):
            for (index, id) in ids.enumerated() {
                progress.show(Double(index) / Double(ids.count), export.summary.label)
                do {
                    try await export.add(try await client.frame(id))
                } catch let problem as Problem where problem.code == .frameNotFound {
                    export.summary.missing.append(id)
                }
            }
        case .fitting(let filter):
            let walk = FrameWalk(client, filter, .oldest)
            let span = try await walk.span()
            // Not many at once: a frame that retention deletes meanwhile is missing.
            try await walk.pages(of: 100) { frames, _ in
                for frame in frames {
                    progress.show(span?.share(before: frame.still.capturedAt), export.summary.label)
                    try await export.add(frame)
                }
            }
        }
    }

    private func report(_ summary: PictureExport.Summary) throws {
        let isStream = ExportDestination(output) == .standardOutput
        guard !isJSON else {
            let text = try WireFormat.encode(summary, pretty: true) + [UInt8(ascii: "\n")]
            return try (isStream ? StandardStream.error : .output).write(text)
        }
        let count = summary.exported == 1 ? "1 picture" : "\(summary.exported) pictures"
        let line = "\(count), \(ByteText.text(summary.bytes)), to \(isStream ? "stdout" : output)\n"
        if !isStream { return try StandardStream.output.write(line) }
        if StandardStream.error.isTerminal { try StandardStream.error.write(line) }
    }
}
