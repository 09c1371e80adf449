// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeAPI
internal import TintypeModel

struct TCPSettings: Hashable, Sendable {
    /// Reachable only from this machine.
    static let loopback = "127.0.0.1"

    /// Nil if only systemd listens.
    var address: TCPAddress?
    /// In addition to `localhost`.
    var hosts: [String]
    /// Origins of other pages that may use the API with a token, as browsers send them (RFC 6454, 6.2).
    var origins: [String] = []
}

extension ConfigurationReader {
    private typealias AccessFields = FieldReader<ConfigurationKey.Access>

    func access() throws(Problem) -> [AccessRule]? {
        let remedy = "Give a list of rules such as [{group: video, role: still}]."
        return try list(at: "access", "is not a list of rules.", remedy: remedy) { (path) throws(Problem) in
            guard let keys = try fields(at: path, ConfigurationKey.Access.self),
                let subject = try accessSubject(keys, at: path), let right = try accessRight(keys, at: path)
            else { return nil }
            return AccessRule(subject, right)
        }
    }

    /// Rules in the file `tokens` beside the configuration `file`, to which `tintype token --add` appends; blocks.
    static func tokens(beside file: String) throws(ConfigurationError) -> [AccessRule] {
        let path = "\(file.enclosingFolder)/tokens"
        let remedy = "Rename this folder: the name is that of the file to which “tintype token --add” adds."
        guard let text = try ConfigurationFile.text(path: path, isOptional: true, folderRemedy: remedy) else {
            return []
        }
        // What is left once the last rule is removed.
        let document = ConfigurationDocument(text, file: path)
        if document["access"]?.kind == "empty", document[""]?.names == ["access"] { return [] }
        var rest = try read(text, file: path)
        let rules = rest.access ?? []
        rest.access = nil
        guard rest == DaemonConfiguration(), rules.allSatisfy(\.isForToken) else {
            throw .init(path, "The file has more than rules for tokens.", remedy: "Move the rest to \(file).")
        }
        return rules
    }

    private func accessSubject(_ keys: AccessFields, at path: String) throws(Problem) -> AccessRule.Subject? {
        try keys.refuse(.group, with: .user)
        try keys.refuse(.token, with: .user, .group)
        try keys.refuse(.name, with: .user, .group)
        if keys[.user] != nil { return try keys.account(.user, "user").map(AccessRule.Subject.user) }
        if keys[.group] != nil { return try keys.account(.group, "group").map(AccessRule.Subject.group) }
        guard keys[.token] != nil else {
            document.add(path, "Nothing says whom the rule is for.", remedy: "Give one of user, group and token.")
            return nil
        }
        let name = try keys.text(.name, "is no name.", remedy: CameraName.remedy) { CameraName.isValid($0) ? $0 : nil }
        require(.name, in: keys, remedy: "Give one for the token, for logs.")
        let give = "what “tintype token” prints: \(AccessRule.digestPrefix) and 64 digits"
        let digest = try keys.text(.token, is: "the SHA-256 of a token", give: give) { text in
            text.wholeMatch(of: /sha256:([0-9a-f]{64})/).map { String($0.1) }
        }
        guard let digest, let name else { return nil }
        return .token(sha256: digest, name: name)
    }

    private func accessRight(_ keys: AccessFields, at path: String) throws(Problem) -> AccessRule.Right? {
        try keys.refuse(.frames, with: .role, .cameras)
        try keys.refuse(.work, with: .role, .cameras, .frames)
        if keys[.work] != nil { return try keys.isGiven(.work, as: "true") ? .work : nil }
        let role = try keys.word(.role, Role.self)
        let cameras = try keys.cameraNames(.cameras)
        if keys[.role] == nil, keys[.frames] == nil {
            let remedy = "Give a role (\(Role.words)), a filter as frames, or work: true."
            document.add(path, "Nothing says what is allowed.", remedy: remedy)
        }
        if let filter = try filter(keys, .frames) { return .frames(filter) }
        // An invalid list of cameras must not become a rule for all cameras.
        guard let role, keys[.cameras] == nil || cameras != nil else { return nil }
        return .role(role, cameras: cameras)
    }

    func tcp() throws(Problem) -> TCPSettings? {
        guard let keys = try fields(at: "tcp", ConfigurationKey.TCP.self) else { return nil }
        let give = "an address in digits, such as 127.0.0.1 or ::"
        let host = try keys.text(.address, is: "an address", give: give) { TCPAddress.isAddress($0) ? $0 : nil }
        let port = try keys.integer(.port, in: 0...65_535)
        let hosts = try keys.texts(.hosts, "is no list of names.", remedy: "Give some, such as [camera.lan].") {
            words in
            words.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9._-]{1,253}/) != nil } ? words : nil
        }
        let remedy = "Give scheme, host and port, such as [https://dash.example], without a path or a final slash."
        let origins = try keys.texts(.origins, "is no list of origins.", remedy: remedy) { words in
            let origins = words.compactMap(Self.origin)
            return origins.count == words.count ? origins : nil
        }
        var settings = TCPSettings(hosts: hosts ?? [], origins: origins ?? [])
        settings.address = port.map { TCPAddress(host: host ?? TCPSettings.loopback, port: $0) }
        // Only systemd listens.
        if keys[.port] == nil, keys[.address] == nil, hosts != nil || origins != nil { return settings }
        require(.port, in: keys, remedy: "Give one, such as 8642.")
        return port == nil ? nil : settings
    }

    /// An origin as browsers send it: in lower case, and without the default port of its scheme.
    private static func origin(_ text: String) -> String? {
        let text = text.lowercased()
        guard let match = text.wholeMatch(of: /(https?):\/\/(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/),
            (0...65_535).contains(match.2.flatMap { Int($0) } ?? 0)
        else { return nil }
        let usualPort = match.1 == "https" ? ":443" : ":80"
        return text.hasSuffix(usualPort) ? String(text.dropLast(usualPort.count)) : text
    }
}

extension DaemonConfiguration {
    /// Resolves users and groups, and logs those that this machine does not have; blocks like ``Accounts``.
    func accessRules(logger: Logger) -> AccessRules {
        let (hosts, origins) = (tcp?.hosts ?? [], tcp?.origins ?? [])
        let rules = AccessRules(access, tokens: tokens, hosts: hosts, origins: origins)
        for subject in rules.unknown {
            logger.warning("access names a \(subject) unknown to this machine: the rule applies to nobody.")
        }
        if tcp != nil, !((access ?? []) + tokens).contains(where: \.isForToken) {
            logger.warning("tcp is on, but access has no token: every client is refused. “tintype token” makes one.")
        }
        return rules
    }
}

extension AccessRule {
    fileprivate var isForToken: Bool { if case .token = subject { true } else { false } }
}
