// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Synchronization
internal import TintypeModel

/// Tells the log who was refused, and who changed what.
///
/// Any thread; never blocks.
final class AuditLog: Sendable {
    private struct Refusals {
        /// When the last one was told.
        var told: MonotonicTime
        /// How many have come since.
        var more = 0
    }

    /// Of the refusals of one client one is told in this time; the next says how many there were.
    private static let pause = Duration.seconds(10)
    /// The most clients that are told apart.
    private static let mostClients = 256

    private let logger: Logger
    private let refusals = Mutex<[String: Refusals]>([:])

    init(logger: Logger) { self.logger = logger }

    /// Tells that a client was refused.
    func refused(_ name: String, _ peer: Peer, _ request: Request, _ problem: Problem) {
        let now = MonotonicTime.now()
        let more = refusals.withLock { refusals -> Int? in
            if refusals.count > Self.mostClients { refusals = refusals.filter { now - $0.value.told < Self.pause } }
            // Of very many clients those that come last are not told apart.
            let key = refusals.count > Self.mostClients && refusals[name] == nil ? "" : name
            if let last = refusals[key], now - last.told < Self.pause {
                refusals[key]?.more += 1
                return nil
            }
            return refusals.updateValue(Refusals(told: now), forKey: key)?.more ?? 0
        }
        guard let more else { return }
        var facts = facts(name, peer, request)
        facts["code"] = "\(problem.code.rawValue)"
        facts[MessageID.key] = "\(MessageID.accessRefused)"
        if more > 0 { facts["unlogged"] = "\(more)" }
        logger.warning("access was refused: \(problem.detail)", metadata: facts)
    }

    /// Tells what came of a change.
    func changed(_ caller: Caller, _ peer: Peer, _ request: Request, result: String) {
        var facts = facts(caller.name, peer, request)
        facts["result"] = "\(result)"
        logger.notice("a client made a change", metadata: facts)
    }

    /// Never the query, which may have a token.
    private func facts(_ name: String, _ peer: Peer, _ request: Request) -> Logger.Metadata {
        var facts: Logger.Metadata = ["client": "\(name)", "request": "\(request.method) \(request.uri.path)"]
        switch peer {
        case .process(let process, _, _): facts["pid"] = "\(process)"
        case .address(let address): facts["address"] = "\(address)"
        case .starter: break
        }
        return facts
    }
}
