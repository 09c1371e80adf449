// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import TintypeModel

/// A command that asks the daemon.
protocol DaemonCommand: AsyncParsableCommand {
    var shared: SharedOptions { get }

    /// Asks, and writes the answer to the standard streams.
    ///
    /// Throws ``Problem``, ``ClientError`` or ``OutputError``.
    func answer() async throws
}

extension DaemonCommand {
    var isJSON: Bool { shared.json }

    var client: ControlClient {
        let environment = ProcessInfo.processInfo.environment
        return ControlClient(socket: SocketPath.choose(option: shared.socket, environment: environment))
    }

    func run() async throws { try await answer() }

    /// Connects, hands `ask` the connection with the name of the camera that is meant, and closes the connection.
    ///
    /// Where `camera` is nil that is the only one; throws as ``CameraChoice`` does.
    func asking<Answer>(
        _ camera: String?,
        _ ask: (_ connection: ControlConnection, _ name: String) async throws -> Answer
    ) async throws -> Answer {
        try await client.withConnection { connection in
            try await ask(connection, try await CameraChoice.name(camera, at: connection))
        }
    }

    /// Writes `answer` to stdout: with `--json` as it goes over the socket, indented, else as `text` puts it.
    func write<Answer: Encodable>(_ answer: Answer, _ text: (Answer) throws -> PrintedText) throws {
        guard !isJSON else { return try write(json: answer) }
        try StandardStream.output.write(try text(answer))
    }

    func write(json value: some Encodable) throws { try StandardStream.output.write(json: value) }

    /// The columns that text on stdout may take; nil for no limit.
    var width: Int? { StandardStream.output.width }
}

/// Which socket a command uses.
enum SocketPath {
    /// The option, else `TINTYPE_SOCKET` unless it is empty, else the packaged one.
    static func choose(option: String?, environment: [String: String]) -> String {
        if let option { return option }
        if let path = environment["TINTYPE_SOCKET"], !path.isEmpty { return path }
        return ControlClient.defaultSocket
    }
}

/// The options that every command has, before its name or after it.
struct SharedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The socket of tintyped (default: TINTYPE_SOCKET, else /run/tintype/tintyped.sock).",
            valueName: "path"
        ),
        completion: .file()
    )
    var socket: String?

    @Flag(help: "Print the daemon's JSON instead of text, and failures as JSON on stderr.")
    var json = false

    func validate() throws {
        if socket == "" { throw ValidationError("--socket needs the path of a socket.") }
    }
}

/// Which camera a command is about when none is named.
enum CameraChoice {
    /// `name`, or the only camera that the daemon has.
    ///
    /// Throws ``Problem``: `camera-not-found` where there is none, `camera-ambiguous` where there are several, and
    /// `invalid-request` where the name is empty.
    static func name(_ name: String?, at connection: some ControlExchange) async throws -> String {
        if let name { return try checked(name) }
        return try only(of: try await connection.cameras().cameras.map(\.name))
    }

    /// `name`, unless it is empty, as a variable of a shell is that was never set.
    static func checked(_ name: String) throws(Problem) -> String {
        guard name.isEmpty else { return name }
        throw Problem(
            .invalidRequest,
            "The camera's name is empty.",
            remedy: "Name a camera (tintype cameras lists them), or leave the name out.",
            field: "camera"
        )
    }

    static func only(of names: [String]) throws(Problem) -> String {
        let remedy = "Plug one in, or read why it was not found: sudo journalctl -u tintyped"
        return try CameraName.only(of: names, orElse: remedy) { _ in "Name one of them." }
    }
}
