// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import TintypeClient
internal import TintypeModel

/// The command `tintype frames open [ID...]`.
struct FramesOpenCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Show stored pictures, or print their paths.",
        discussion: """
            Without ids and --where, opens the newest frame. On the terminal of a desktop, xdg-open opens the \
            pictures; elsewhere their paths are printed. A picture that you may not read is fetched from the \
            daemon into a temporary folder, which remains.
            """
    )

    /// More at once are a mistake rather than a wish.
    private static let most = 100

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: FrameChoice

    @Flag(name: .customLong("print"), help: "Print the paths, even on a desktop.")
    var prints = false

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("Open them with this program, all at once.", valueName: "program")
    )
    var program: String?

    func validate() throws {
        guard program == nil || !prints && !isJSON else {
            throw ValidationError("Give one of --with, --print and --json.")
        }
    }

    func answer() async throws {
        let environment = ProcessInfo.processInfo.environment
        let opener = try PictureOpener.choose(
            program: program,
            prints: prints || isJSON,
            isTerminal: StandardStream.output.isTerminal,
            environment: environment
        )
        var frames: [FrameRecord] = []
        try await client.records(of: choice) { page in
            frames += page
            guard frames.count <= Self.most else {
                throw Problem(
                    .tooLarge,
                    "More than \(Self.most) pictures would be opened.",
                    remedy: "Name fewer, or export them (tintype frames export)."
                )
            }
        }
        var opened: [FrameFile] = []
        var fetched: String?
        for frame in frames {
            let picture = try await client.image(of: frame.still.id)
            // Only where it has the bytes that the daemon has found to be those that were stored.
            if let path = frame.still.path, SystemCalls.file(path, of: picture.count) == picture {
                opened.append(FrameFile(frame: frame, file: path))
                continue
            }
            let folder = try fetched ?? Self.makeFolder()
            fetched = folder
            let path = "\(folder)/\(frame.still.id).jpg"
            try OutputFile.replace(path, with: picture, mode: nil)
            opened.append(FrameFile(frame: frame, file: path))
        }
        guard !isJSON else { return try write(json: ["frames": opened]) }
        try opener.open(opened.map(\.file), environment: environment)
    }

    private static func makeFolder() throws(OutputError) -> String {
        do throws(SystemError) {
            return try SystemCalls.makeTemporaryFolder()
        } catch {
            throw OutputError(
                "make a temporary folder: \(error).",
                remedy: "Make room in /tmp, or let TMPDIR name another folder."
            )
        }
    }
}
