// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import Logging
internal import TintypeModel

/// Logs refused requests and changes; any thread, never blocks.
struct AuditLog: Sendable {
    /// Maximum logged length of a path or problem detail, in characters: clients choose both.
    private static let longest = 256

    let logger: Logger

    func refused(_ name: String, _ peer: Peer, _ request: Request, _ problem: Problem) {
        var facts = facts(name, peer, request)
        facts["code"] = "\(problem.code.rawValue)"
        facts[MessageID.key] = "\(MessageID.accessRefused)"
        logger.warning("access was refused: \(Self.short(problem.detail))", metadata: facts)
    }

    func changed(_ caller: Caller, _ peer: Peer, _ request: Request, result: String) {
        var facts = facts(caller.name, peer, request)
        facts["result"] = "\(result)"
        logger.notice("a client made a change", metadata: facts)
    }

    private static func short(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > longest ? "\(String(scalars.prefix(longest)))…" : text
    }

    /// Omits the query, which may contain a token.
    private func facts(_ name: String, _ peer: Peer, _ request: Request) -> Logger.Metadata {
        var facts: Logger.Metadata = [
            "client": "\(name)", "request": "\(request.method) \(Self.short(request.uri.path))",
        ]
        switch peer {
        case .process(let process, _, _): facts["pid"] = "\(process)"
        case .address(let address): facts["address"] = "\(address)"
        case .starter: break
        }
        return facts
    }
}
