// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

struct HookConfiguration: Hashable, Sendable {
    var name: String
    var kinds: [Event.Kind]
    /// Time that a condition must last before its start and its end are passed on; nil for all events at once.
    var lasting: Duration?
    /// Nil for all events of those kinds.
    var cameras: [String]?
    /// An absolute path, and arguments; empty for a webhook.
    var command: [String] = []
    /// HTTP or HTTPS; nil for a command.
    var webhook: String?
    var timeLimit = Duration.seconds(30)
    var atOnce = 1
    var retries = 3
}

extension ConfigurationReader {
    func hooks() throws(Problem) -> [HookConfiguration] {
        let example = "notify: {on: camera-lost, command: [/bin/true]}"
        return try named(at: "hooks", "is no name for a hook.", suchAs: example, hook)
    }

    private func hook(at path: String, _ entry: ConfigurationDocument.Entry) throws(Problem) -> HookConfiguration? {
        guard let keys = try fields(at: path, ConfigurationKey.Hook.self) else { return nil }
        let remedy = "Every hook needs the kinds of events that it is for (on), and a command or a webhook."
        require(.on, in: keys, remedy: remedy, place: entry.keyPlace)
        if keys[.webhook] == nil { require(.command, in: keys, remedy: remedy, place: entry.keyPlace) }
        try keys.refuse(.webhook, with: .command)
        let onRemedy = "Give some of \(Event.Kind.words)."
        let on = try keys.texts(.on, "is no kind of event.", remedy: onRemedy, nearest: Event.Kind.nearest) { words in
            let kinds = words.compactMap(Event.Kind.init(rawValue:))
            return kinds.count == words.count && !kinds.isEmpty ? kinds : nil
        }
        let cameras = try keys.cameraNames(.cameras)
        let command = try keys.command(.command)
        let (noAddress, example) = ("is no address of http or https.", "Give one such as https://example.org/hook.")
        let webhook = try keys.freeText(.webhook, noAddress, remedy: example, where: WebhookPost.isAddress)
        guard let on, command != nil || webhook != nil else { return nil }
        var hook = HookConfiguration(name: entry.name, kinds: on, cameras: cameras)
        (hook.command, hook.webhook) = (command ?? [], webhook)
        hook.lasting = try keys.span(.for)
        if keys[.for] != nil, on.allSatisfy({ $0.start == nil && $0.end == nil }) {
            let begins = Event.Kind.allCases.filter { $0.end != nil }.map(\.rawValue).joined(separator: ", ")
            let detail = "None of its events begins or ends something that lasts."
            document.add(keys.path(of: .for), detail, remedy: "Leave it out, or give some of \(begins) in on.")
        }
        let limits = Duration.seconds(1) ... .seconds(3600)
        hook.timeLimit = try keys.span(.timeLimit, in: limits, suchAs: "30s") ?? hook.timeLimit
        hook.atOnce = try keys.integer(.atOnce, in: 1...16) ?? hook.atOnce
        hook.retries = try keys.integer(.retries, in: 0...10) ?? hook.retries
        return hook
    }
}
