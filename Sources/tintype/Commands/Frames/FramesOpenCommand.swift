// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
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
        var opened: [RecordWithFile<FrameRecord>] = []
        var fetched: String?
        for frame in frames {
            let picture = try await client.image(of: frame.still.id)
            // Only where it has the bytes that the daemon has found to be those that were stored.
            if let path = frame.still.path, SystemCalls.file(path, of: picture.count) == picture {
                opened.append(RecordWithFile(record: frame, file: path))
                continue
            }
            let folder =
                try fetched
                ?? OutputError.temporary("make a temporary folder", try SystemCalls.makeTemporaryFolder())
            fetched = folder
            let path = "\(folder)/\(frame.still.id).jpg"
            try AtomicFile.replace(path, with: picture)
            opened.append(RecordWithFile(record: frame, file: path))
        }
        guard !isJSON else { return try write(json: ["frames": opened]) }
        try opener.open(opened.compactMap(\.file), environment: environment)
    }
}

/// The action of `tintype frames open` on the paths of pictures.
enum PictureOpener: Hashable {
    /// Prints them.
    case printing
    /// Runs this program with all of them.
    case program(String)
    /// Runs the desktop's xdg-open(1), which takes one, for each.
    case desktop(String)

    /// The program that was asked for, else xdg-open if there is a desktop and a terminal, else printing.
    ///
    /// Throws where `program` is not to be found.
    static func choose(
        program: String?,
        prints: Bool,
        isTerminal: Bool,
        environment: [String: String],
        mayRun: (String) -> Bool = SystemCalls.mayRun
    ) throws(OutputError) -> PictureOpener {
        if prints { return .printing }
        if let program {
            guard let path = find(program, environment, mayRun) else {
                throw OutputError(
                    "There is no program “\(program)”.",
                    remedy: "Give --with a program of PATH, or the path of one."
                )
            }
            return .program(path)
        }
        let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard isTerminal, hasDesktop, let path = find("xdg-open", environment, mayRun) else { return .printing }
        return .desktop(path)
    }

    /// Opens pictures; blocks until the program has ended.
    func open(_ paths: [String], environment: [String: String]) throws(OutputError) {
        switch self {
        case .printing: for path in paths { try StandardStream.output.write(exactly: path) }
        case .program(let program): try Self.run(program, paths, environment)
        case .desktop(let program): for path in paths { try Self.run(program, [path], environment) }
        }
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) throws(OutputError) {
        let status: CInt
        do throws(SystemError) {
            status = try SystemCalls.run(program, arguments, environment)
        } catch {
            throw OutputError("run \(program): \(error).", remedy: "Use --print, and open the file yourself.")
        }
        guard status == 0 else {
            throw OutputError(
                "\(program) ended with status \(status).",
                remedy: "Use --print, and open the file yourself."
            )
        }
    }

    private static func find(
        _ program: String,
        _ environment: [String: String],
        _ mayRun: (String) -> Bool
    ) -> String? {
        guard !program.contains("/") else { return mayRun(program) ? program : nil }
        return (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy
            .map { "\($0)/\(program)" }.first(where: mayRun)
    }
}
