// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

@Suite(.serialized)
struct HookCommandTests {
    private let folder = TemporaryFolder()

    // As in the daemon: a command that does not read its input causes a write error, not a signal.
    init() { _ = signal(SIGPIPE, SIG_IGN) }

    private static func run(
        _ command: [String],
        _ input: String = "{}\n",
        within limit: Duration = .patience,
        environment: [String: String] = [:]
    ) async -> HookCommand.Completion {
        let hook = HookCommand(command: command, environment: environment, clock: .system)
        return await hook.run(Array(input.utf8), within: limit)
    }

    @Test func `passes event and arguments without a shell`() async throws {
        let script = try folder.write(
            "cat > '\(folder.path)/input'\nprintf '%s|' \"$@\" \"$WORD\" \"${NOTIFY_SOCKET-unset}\" > '\(folder.path)/rest'\n",
            to: "script"
        )
        // exec(2) of a file just written fails with ETXTBSY while a child of another test still holds it open.
        let command = ["/bin/sh", script, "$(id)", "a b", ""]
        let end = await Self.run(command, "{\"id\":7}\n", environment: ["WORD": "x y"])
        #expect(end.outcome == .ok, "\(end.detail)")
        #expect(try String(contentsOfFile: "\(folder.path)/input", encoding: .utf8) == "{\"id\":7}\n")
        #expect(try String(contentsOfFile: "\(folder.path)/rest", encoding: .utf8) == "$(id)|a b||x y|unset|")
    }

    @Test func `reports the exit status or the signal of a failed command`() async {
        let failed = await Self.run(["/bin/sh", "-c", "exit 3"])
        #expect(failed.outcome == .failed && failed.detail == "It ended with 3.")
        let killed = await Self.run(["/bin/sh", "-c", "kill -TERM $$"])
        #expect(killed.outcome == .failed && killed.detail == "It was ended by signal 15.")
        // A signal that the daemon ignores has its default action in the command.
        let broken = await Self.run(["/bin/sh", "-c", "kill -PIPE $$"])
        #expect(broken.outcome == .failed && broken.detail == "It was ended by signal 13.")
    }

    @Test func `a command that does not read its input succeeds`() async {
        let deaf = await Self.run(["/bin/true"], String(repeating: "x", count: 200_000))
        #expect(deaf.outcome == .ok, "\(deaf.detail)")
    }

    @Test func `reports the path of a program that cannot be started`() async throws {
        let text = try folder.write("no program\n", to: "text")
        for path in ["\(folder.path)/absent", text] {
            let end = await Self.run([path])
            #expect(end.outcome == .notStarted && end.detail.contains(path), "\(end.detail)")
        }
    }

    @Test func `the time limit kills a command and its children`() async throws {
        let file = "\(folder.path)/children"
        // The command and its child ignore SIGTERM.
        let line = "trap '' TERM; (trap '' TERM; echo $BASHPID > '\(file)'; exec sleep 600) & sleep 600; sleep 600"
        // Doubled until the child has written its pid before the limit.
        var (seconds, child) = (1, pid_t?.none)
        while child == nil {
            seconds *= 2
            let end = await Self.run(["/bin/bash", "-c", line], within: .seconds(seconds))
            let limit = SpokenDuration.text(.seconds(seconds))
            #expect(end.outcome == .late && end.detail.contains("after \(limit)"), "\(end.detail)")
            let text = try? String(contentsOfFile: file, encoding: .utf8)
            child = pid_t(text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "")
        }
        let last = try #require(child)
        try await eventually("its child has ended, too") { kill(last, 0) != 0 }
    }
}

struct WebhookPostTests {
    @Test func `passes URL and event to curl on standard input`() {
        let post = WebhookPost(address: "https://example.org/a?b=c")
        let input = post.input(Array("{\"a\":\"\\\"\\n\"}\n".utf8))
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n")
        #expect(lines[0] == "url = \"https://example.org/a?b=c\"")
        #expect(lines[1] == #"data-binary = "{\"a\":\"\\\"\\n\"}""#)
        #expect(!post.command.contains { $0.contains("example") })
    }

    @Test(arguments: [
        ("https://example.org/a?b", "https://example.org"),
        ("http://user:word@example.org:8080/a/b", "http://example.org:8080"),
        ("https://example.org?key=1", "https://example.org"), ("https://example.org", "https://example.org"),
    ])
    func `shows only scheme, host and port of a URL`(address: String, shown: String) {
        #expect(WebhookPost.isAddress(address) && HTTPAddress.publicPart(address) == shown)
    }

    @Test(arguments: [
        "", "example.org", "file:///etc/passwd", "https://", "https://a b", "https://a\"b", "https://a\nb",
    ])
    func `rejects text that is not an HTTP URL`(text: String) { #expect(!WebhookPost.isAddress(text)) }
}
