// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import TintypeClient
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
        ControlClient(
            socket: SocketPath.choose(
                option: shared.socket,
                environment: ProcessInfo.processInfo.environment
            )
        )
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

    /// Writes `value` to stdout as it goes over the socket, indented.
    func write(json value: some Encodable) throws { try StandardStream.output.write(json: value) }
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
