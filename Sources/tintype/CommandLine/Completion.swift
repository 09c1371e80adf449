// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

/// Shell completions obtained from the daemon; empty if it does not answer within one second.
enum Completion {
    static var cameras: CompletionKind { kind { client, _ in try await names(client) } }

    /// Camera names, then control names with `=`, but only of an open camera: pressing Tab must not open one.
    static var controls: CompletionKind {
        kind { client, words in
            try await inCamera(client, words, after: "set") { camera in
                guard try await client.camera(camera).format != nil else { return [] }
                let controls = try await client.controls(of: camera).controls
                return controls.filter { !$0.has(.readOnly) && !$0.has(.disabled) }.map { "\($0.name)=" }
            }
        }
    }

    static var profiles: CompletionKind {
        kind { client, words in
            try await inCamera(client, words, after: "profiles") {
                try await client.profiles(of: $0).profiles.map(\.name)
            }
        }
    }

    static var jobs: CompletionKind {
        kind { client, _ in try await client.jobs().jobs.flatMap { [$0.rule, $0.id].compactMap(\.self) } }
    }

    private static func kind(
        _ ask: @escaping @Sendable (ControlClient, [String]) async throws -> [String]
    ) -> CompletionKind {
        .custom { words, _, _ in
            let client = client(words)
            return await withTaskGroup(of: [String].self) { group in
                group.addTask { (try? await ask(client, words)) ?? [] }
                group.addTask {
                    try? await Task.sleep(for: .seconds(1))
                    return []
                }
                let first = await group.next() ?? []
                group.cancelAll()
                return first.filter { $0.unicodeScalars.allSatisfy(PrintableText.isSafe) }
            }
        }
    }

    /// Client for the socket named on the command line so far.
    private static func client(_ words: [String]) -> ControlClient {
        // bash splits --socket=PATH into three words.
        let value = words.firstIndex(of: "--socket").flatMap { words[($0 + 1)...].first { $0 != "=" } }
        let joined = words.first { $0.hasPrefix("--socket=") }.map { String($0.dropFirst("--socket=".count)) }
        return ControlClient(socket: SocketPath.choose(option: value ?? joined))
    }

    private static func names(_ client: ControlClient) async throws -> [String] {
        try await client.cameras().cameras.map(\.name)
    }

    /// Completions for the camera given after `command`; else camera names, and completions if there is only one.
    private static func inCamera(
        _ client: ControlClient,
        _ words: [String],
        after command: String,
        _ ask: (String) async throws -> [String]
    ) async throws -> [String] {
        let cameras = try await names(client)
        let given = words.dropFirst(words.firstIndex(of: command) ?? 0).dropLast()
        if let camera = given.first(where: cameras.contains) { return try await ask(camera) }
        return cameras.count == 1 ? cameras + (try await ask(cameras[0])) : cameras
    }
}
