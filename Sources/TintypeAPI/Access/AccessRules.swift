// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

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
