// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import Logging
internal import TintypeModel

/// Log of refused requests and changes; never blocks.
extension ControlContext {
    /// Maximum logged length of a path or problem detail, in characters: clients choose both.
    private static let longestText = 256

    func logRefusal(of name: String, _ request: Request, _ problem: Problem) {
        var facts = facts(name, request)
        facts["code"] = "\(problem.code.rawValue)"
        facts[MessageID.key] = "\(MessageID.accessRefused)"
        logger.warning("access was refused: \(Self.short(problem.detail))", metadata: facts)
    }

    func logChange(by name: String, _ request: Request, result: String) {
        var facts = facts(name, request)
        facts["result"] = "\(result)"
        logger.notice("a client made a change", metadata: facts)
    }

    private static func short(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count > longestText ? "\(String(scalars.prefix(longestText)))…" : text
    }

    /// Omits the query, which may contain a token.
    private func facts(_ name: String, _ request: Request) -> Logger.Metadata {
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
