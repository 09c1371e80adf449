// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct CamerasCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras",
        abstract: "List the cameras, and a configuration line for each; opens no camera."
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        try write(try await client.cameras()) { list in
            CameraReport.table(list.cameras, width: width) + CameraReport.configuration(list)
        }
    }
}

struct StatusCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of the daemon and its cameras; opens no camera.",
        discussion: """
            The first line says whether all works (ok), something does not (degraded), or no camera gives pictures or \
            no spool takes them (failing), with the reasons and what to do. The exit status is 0, \
            \(Health.Level.degraded.exitStatus) or \(Health.Level.failing.exitStatus) then. With CAMERA it is 0.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The camera; without it all cameras.", completion: Completion.cameras)
    var camera: String?

    func run() async throws {
        let client = client
        if let camera {
            return try write(try await client.camera(try CameraChoice.checked(camera)), StatusReport.text)
        }
        let (health, list) = try await client.withConnection { connection in
            (try await connection.health(), try await connection.cameras())
        }
        try write(Document(health: health, cameras: list.cameras)) { _ in
            let cameras: [PrintedText] = list.cameras.isEmpty ? ["No camera.\n"] : list.cameras.map(StatusReport.text)
            return PrintedText([StatusReport.text(health, socket: client.socket)] + cameras, separator: "\n")
        }
        if health.status != .ok { throw ExitCode(health.status.exitStatus) }
    }

    /// Output of `--json` without CAMERA.
    private struct Document: Encodable {
        let health: Health
        let cameras: [CameraStatus]
    }
}

struct FormatsCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats",
        abstract: "List the pixel formats, sizes and rates that a camera offers."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    func run() async throws {
        let list = try await withCamera(camera.name) { try await $0.formats(of: $1) }
        try write(list) { FormatReport.table($0.formats, width: width) }
    }
}

struct ToleranceCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "tolerance",
        abstract: "Show the faults that all pictures of a camera have, or forget them.",
        discussion: """
            Stills with integrity “tolerant” accept these faults. “strict” stills accept surplusBytes and largerSize \
            only, which are put right without a doubt.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var camera: CameraArgument

    @Flag(help: "Forget them; the daemon learns them again.")
    var reset = false

    func run() async throws {
        let status = try await withCamera(camera.name) { connection, name in
            reset ? try await connection.resetTolerance(of: name) : try await connection.camera(name)
        }
        try write(status) { status in
            let quirks = status.tolerance ?? []
            let words = quirks.isEmpty ? ["no tolerance"] : quirks.map(\.text)
            return PrintedText(words.map { word -> PrintedText in "\(status.name): \(word)\n" })
        }
    }
}
