// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct StillCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "still",
        abstract: "Take a still.",
        discussion: """
            Without -o, the daemon stores the picture in its spool, and the command prints its path once the \
            picture is as durable as requested. With -o, the picture is written to FILE, whole or not at all, or \
            to stdout (-); the daemon stores it only with --keep. With --once, no daemon has to run.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var once: OnceOptions
    @OptionGroup var still: StillOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var camera: CameraArgument

    func validate() throws {
        guard once.isOnce else { return }
        if output.output == nil { throw ValidationError("With --once the picture goes to a file: give -o FILE too.") }
        if output.keep == true {
            throw ValidationError("With --once nothing can be kept in a spool: leave out --keep.")
        }
        if shared.socket != nil { throw ValidationError("--once uses no socket: leave out --socket.") }
        if camera.name != nil, !once.arguments.isEmpty {
            throw ValidationError("Give one of CAMERA, --device and --pattern.")
        }
    }

    func run() async throws {
        do {
            try await take()
        } catch let error as ClientError where !once.isOnce {
            throw error.suggestingOnce
        }
    }

    private func take() async throws {
        guard let file = output.output else { return try await store() }
        // Fails before the camera is opened, if the file cannot be written.
        var writer = try PictureWriter(file)
        let request = still.request(keep: output.keep ?? false)
        let taken = try await takePicture(request)
        let path = try writer.write(taken)
        if !isJSON { output.warn(of: [taken.record]) }
        if !writer.isStandardOutput, isJSON { return try write(json: TakenStill(record: taken.record, file: path)) }
        if writer.namesFiles { try StandardStream.output.write(exactly: path) }
        output.writeDetails(StillReport.text(taken.record, showsPath: true))
    }

    private func takePicture(_ request: StillRequest) async throws -> Still {
        guard once.isOnce else { return try await withCamera(camera.name) { try await $0.picture(of: $1, request) } }
        return try await PrivateDaemon.withConnection(once.arguments) { connection in
            try await connection.picture(of: try await CameraChoice.name(camera.name, at: connection), request)
        }
    }

    private func store() async throws {
        let list = try await withCamera(camera.name) { try await $0.stills(still.request(keep: true), of: $1) }
        guard !isJSON else { return try write(json: list) }
        defer { output.warn(of: list.stills) }
        for record in list.stills {
            try StandardStream.output.write(exactly: try TakenStill(record: record).path)
            output.writeDetails(StillReport.text(record))
        }
    }
}
