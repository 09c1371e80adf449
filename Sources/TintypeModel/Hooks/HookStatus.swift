// SPDX-License-Identifier: Apache-2.0

package struct HookStatus: Equatable, Codable, WireObject {
    package var name: String
    package var kinds: [Event.Kind]
    package var cameras: [String]?
    package var command: [String]
    package var webhook: String?
    package var succeeded: UInt64 = 0
    package var failed: UInt64 = 0
    package var missed: UInt64 = 0
    package var running = 0
    package var waiting = 0
    package var waitingMs: Milliseconds?
    package var results: [HookResult] = []
    package static let mostResults = 16

    package init(name: String, kinds: [Event.Kind], cameras: [String]?, command: [String], webhook: String? = nil) {
        (self.name, self.kinds, self.cameras, self.command, self.webhook) = (name, kinds, cameras, command, webhook)
    }

    package mutating func add(_ result: HookResult) {
        if result.outcome == .ok { succeeded += 1 } else { failed += 1 }
        results = (results + [result]).suffix(Self.mostResults)
    }

    package static let summary = "One hook: a command that is run for events, or an address that they are posted to."
    package static let fields: [Field] = [
        Field("name", \.name, "Its name in the configuration."),
        Field("kinds", \.kinds, "The kinds of events that it is run for."),
        Field("cameras", \.cameras, "The cameras whose events it is run for; missing for all events of those kinds."),
        Field("command", \.command, "The program and its arguments; none for a webhook."),
        Field("webhook", \.webhook, "The server that events are posted to, without the path, which may be a secret."),
        Field("succeeded", \.succeeded, "Events for which the command ended with 0, since the daemon started."),
        Field("failed", \.failed, "Events for which it did not, however often it was tried."),
        Field("missed", \.missed, "Events that it missed because it was too far behind."),
        Field("running", \.running, "Commands that run now, or wait to be tried again.", .notNegative),
        Field("waiting", \.waiting, "Events that wait for the time in for, or for a command to end.", .notNegative),
        Field("waitingMs", \.waitingMs, "The age of the oldest of them; missing if none waits."),
        Field("results", \.results, "The last results, the newest last, at most 16."),
    ]
}

package struct HookResult: Equatable, Codable, WireObject {
    package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case ok
        case failed
        case late
        case notStarted = "not-started"
    }

    package var event: Int
    package var kind: Event.Kind
    package var at: Timestamp
    package var tookMs: Milliseconds
    package var attempts: Int
    package var outcome: Outcome
    package var detail: String

    package init(of event: Event, at: Timestamp, took: Duration, attempts: Int, outcome: Outcome, detail: String) {
        self.event = event.id
        kind = event.kind
        self.at = at
        tookMs = Milliseconds(took)
        (self.attempts, self.outcome, self.detail) = (attempts, outcome, detail)
    }

    package static let summary = "The result of a hook for one event."
    package static let fields: [Field] = [
        Field("event", \.event, "The id of the event."),
        Field("kind", \.kind, "The kind of the event."),
        Field("at", \.at, "The time at which it was first tried."),
        Field("tookMs", \.tookMs, "The time from then to its end."),
        Field("attempts", \.attempts, "How often it was tried.", .positive),
        Field("outcome", \.outcome, "How the last attempt ended."),
        Field("detail", \.detail, "The same, in a sentence."),
    ]
}

package struct HookList: Equatable, Codable, WireObject {
    package var hooks: [HookStatus]
    package init(hooks: [HookStatus]) { self.hooks = hooks }
    package static let summary = "Every hook, by name."
    package static let fields: [Field] = [Field("hooks", \.hooks, "The hooks.")]
}
