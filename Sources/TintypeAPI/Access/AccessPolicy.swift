// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Access rules in force, replaced by a reload; any thread, never blocks.
package final class AccessPolicy: Sendable {
    private let state: Mutex<(rules: AccessRules, changes: Int)>

    package init(_ rules: AccessRules) { state = Mutex((rules: rules, changes: 0)) }

    /// Replaces the rules; event and video streams that began under different rules end.
    package func replaceRules(with rules: AccessRules) {
        state.withLock { state in
            guard state.rules != rules else { return }
            state.rules = rules
            state.changes += 1
        }
    }

    /// Number of times the rules have been replaced by different ones.
    var changes: Int { state.withLock(\.changes) }

    var hosts: Set<String> { state.withLock { $0.rules.hosts } }
    var origins: Set<String> { state.withLock { $0.rules.origins } }

    /// Client by its token, else its socket credentials; throws `unauthenticated` if unknown or, over TCP, missing.
    func caller(_ peer: Peer, token: String?) throws(Problem) -> Caller {
        let rules = state.withLock(\.rules)
        if let token {
            let found = rules.ofToken(sha256: SHA256.text(Array(token.utf8)))
            guard let first = found.first else {
                throw Problem(
                    .unauthenticated,
                    "The token is not one that this tintyped knows.",
                    remedy: "Compare it with the configuration (access, tokens), and reload that. \(Self.tokenRemedy)"
                )
            }
            return Caller(name: "\(first.subject)", via: .token, rules: found)
        }
        switch peer {
        case .address:
            let detail = "The request has no token, which every client over TCP needs."
            throw Problem(.unauthenticated, detail, remedy: Self.tokenRemedy)
        case .starter: return Caller(all: "\(peer)", because: "It started this tintyped.")
        case .process(_, let user, let groups): return Self.caller("\(peer)", user, groups, rules)
        }
    }

    func caller(user: UInt32, groups: Set<UInt32>) -> Caller {
        Self.caller("uid \(user)", user, groups, state.withLock(\.rules))
    }

    private static func caller(_ name: String, _ user: UInt32, _ groups: Set<UInt32>, _ rules: AccessRules) -> Caller {
        // Includes the reload that the unit runs.
        let isOwn = user == 0 || user == geteuid()
        if rules.rules == nil, isOwn || user != rules.worker {
            return Caller(all: name, because: "Without rules (access), whoever may open the socket may do everything.")
        }
        if isOwn { return Caller(all: name, because: "root and the daemon's own user may do everything.") }
        return Caller(name: name, via: .user, rules: rules.of(user: user, groups: groups))
    }

    private static let tokenRemedy = """
        Make one with “sudo tintype token --add NAME” and run “tintype reload”. Send it as a bearer token, as the password \
        of Basic authentication, or by signing in on the page.
        """
}
