// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
package import TintypeModel
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

/// Access rules with user and group names resolved to ids.
package struct AccessRules: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case user(UInt32)
        case group(UInt32)
        case token(sha256: String)
    }

    struct Rule: Hashable, Sendable {
        let subject: Subject
        let rule: AccessRule
    }

    /// nil if access to the socket grants full control.
    let rules: [Rule]?
    /// Rules for tokens that leave the access to the socket as it is.
    private let tokens: [Rule]
    /// Host names accepted over TCP besides `localhost` and IP addresses; lower case.
    let hosts: Set<String>
    /// Origins, besides the own one, of pages that may read replies to their requests with a token; as browsers send them.
    let origins: Set<String>
    /// Subjects of rules that are dropped because the user or group does not exist on this machine.
    package let unknown: [AccessRule.Subject]
    /// UID of the worker's user, which has the right `work` also without rules; nil if this machine has no such user.
    let worker: UInt32?

    /// User of tintype-worker.service.
    package static let workerUser = "tintype-worker"

    /// Resolves the names in `rules` (nil: access to the socket grants full control); blocks as ``Accounts`` does.
    package init(
        _ rules: [AccessRule]?,
        tokens: [AccessRule] = [],
        hosts: [String] = [],
        origins: [String] = [],
        worker: String = workerUser
    ) {
        let found = rules?.map { ($0, Self.subject(of: $0)) }
        self.rules = found?.compactMap { rule, subject in subject.map { Rule(subject: $0, rule: rule) } }
        unknown = found?.filter { $0.1 == nil }.map(\.0.subject) ?? []
        self.tokens = tokens.compactMap { rule in Self.subject(of: rule).map { Rule(subject: $0, rule: rule) } }
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins)
        self.worker = Accounts.user(worker)
    }

    private static func subject(of rule: AccessRule) -> Subject? {
        switch rule.subject {
        case .user(let name): Accounts.user(name).map(Subject.user)
        case .group(let name): Accounts.group(name).map(Subject.group)
        case .token(let sha256, _): .token(sha256: sha256)
        }
    }

    /// The worker's user has the rules that name it, and none of its groups: it is a member only to reach the socket.
    func of(user: UInt32, groups: Set<UInt32>) -> [AccessRule] {
        let own = (rules ?? []).filter { rule in
            switch rule.subject {
            case .user(let number): number == user
            case .group(let number): groups.contains(number) && user != worker
            case .token: false
            }
        }.map(\.rule)
        return user == worker ? [AccessRule(.user(Self.workerUser), .work)] + own : own
    }

    /// Rules for a token, by its digest, in constant time.
    func ofToken(sha256 digest: String) -> [AccessRule] {
        ((rules ?? []) + tokens).filter { rule in
            guard case .token(let known) = rule.subject else { return false }
            return Self.areEqual(known, digest)
        }.map(\.rule)
    }

    /// Takes the same time for all texts of one length.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
