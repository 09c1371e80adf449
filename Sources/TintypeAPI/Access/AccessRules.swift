// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// The rules of access with the numbers of their users and groups.
package struct AccessRules: Hashable, Sendable {
    /// Whom a rule is for.
    enum Subject: Hashable, Sendable {
        case user(UInt32)
        case group(UInt32)
        case token(sha256: String)
    }

    /// A rule with its subject by number.
    struct Rule: Hashable, Sendable {
        let subject: Subject
        let rule: AccessRule
    }

    /// The rules; nil where access to the socket grants full control.
    let rules: [Rule]?
    /// The names under which clients may ask over TCP, besides `localhost` and every address.
    let hosts: Set<String>
    /// Users and groups that the machine does not have: their rules are for nobody.
    package let unknown: [AccessRule.Subject]

    /// These rules; nil where everybody who may open the socket may do everything.
    ///
    /// Blocks as ``Accounts`` does.
    package init(_ rules: [AccessRule]?, hosts: [String] = []) {
        let found = rules?.map { ($0, Self.subject(of: $0)) }
        self.rules = found?.compactMap { rule, subject in subject.map { Rule(subject: $0, rule: rule) } }
        unknown = found?.filter { $0.1 == nil }.map(\.0.subject) ?? []
        self.hosts = Set(hosts.map { $0.lowercased() })
    }

    private static func subject(of rule: AccessRule) -> Subject? {
        switch rule.subject {
        case .user(let name): Accounts.user(name).map(Subject.user)
        case .group(let name): Accounts.group(name).map(Subject.group)
        case .token(let sha256, _): .token(sha256: sha256)
        }
    }

    /// The rules for a process of this user in these groups.
    func of(user: UInt32, groups: Set<UInt32>) -> [AccessRule] {
        (rules ?? []).filter { rule in
            switch rule.subject {
            case .user(let number): number == user
            case .group(let number): groups.contains(number)
            case .token: false
            }
        }.map(\.rule)
    }

    /// The rules for the token with this digest; takes as long for every digest.
    func ofToken(sha256 digest: String) -> [AccessRule] {
        (rules ?? []).filter { rule in
            guard case .token(let known) = rule.subject else { return false }
            return Self.areEqual(known, digest)
        }.map(\.rule)
    }

    /// Whether two texts are the same, which takes as long wherever they differ.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
