// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    /// `Tests/Support/tally`, the end of `make test`: no failed, aborted or skipped test is overlooked.
    @Suite struct TallyTests {
        private static let times = "build\t61\nthis machine\t600\n"

        /// Event stream of Swift Testing for one test with these events, and the end of the run if `isWhole`.
        private static func stream(_ events: [String], isWhole: Bool = true) -> String {
            let test =
                #"{"kind":"test","payload":{"kind":"function","id":"Tests.Suite/one()","name":"one()"}}"#
            let end = isWhole ? [#"{"kind":"event","payload":{"kind":"runEnded","messages":[]}}"#] : []
            let all = events.map { event in
                #"{"kind":"event","payload":{"kind":"\#(event)","testID":"Tests.Suite/one()","messages":[{"text":"why"}],"#
                    + #""issue":{"isFailure":true}}}"#
            }
            return ([test] + all + end).joined(separator: "\n") + "\n"
        }

        /// Runs the tally on these results of the host and of the virtual machine.
        private static func tally(
            host: [String] = [stream(["testStarted", "testEnded"])],
            machine: String = "ok 1 - boots\n1..1\n",
            minimum: Int = 1,
            missing: [String] = [],
            traps: String? = nil
        ) async throws -> Child.Outcome {
            try await Site.with { site in
                var arguments = ["--times", try site.write(times, to: "times.tsv")]
                for (number, text) in host.enumerated() {
                    arguments += ["--host", try site.write(text, to: "host-\(number).jsonl")]
                }
                if let traps { arguments += ["--traps", try site.write(traps, to: "traps.txt")] }
                for name in missing { arguments += ["--host", "\(site.folder)/\(name)"] }
                let guest = "\(site.folder)/guest"
                try FileManager.default.createDirectory(atPath: guest, withIntermediateDirectories: false)
                _ = try site.write(machine, to: "guest/checks.tap")
                arguments += ["--machine", guest, "--minimum", try site.write("\(minimum)\n", to: "minimum")]
                let program = Programs.repository.appending(path: "Tests/Support/tally").path
                return try await site.start(program, arguments).outcome()
            }
        }

        @Test func `a passing run is summed up with its times`() async throws {
            let outcome = try await Self.tally()
            #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
            #expect(outcome.text.contains("2 passed, 0 failed\n"), "\(outcome.text)")
            #expect(outcome.text.contains("build          1:01\n"), "\(outcome.text)")
            #expect(outcome.text.contains("this machine  10:00\n"), "\(outcome.text)")
        }

        @Test func `a skip on the host is listed with its reason`() async throws {
            let outcome = try await Self.tally(host: [Self.stream(["testSkipped"])])
            #expect(outcome.status == 0)
            let end = "1 passed, 0 failed\nSkipped, 1:\n    Suite: one(): why\n"
            #expect(outcome.text.hasSuffix(end), "\(outcome.text)")
        }

        @Test(
            arguments: [
                (["testStarted", "issueRecorded", "testEnded"], true, "why"),
                (["testStarted"], false, "It was running when the run broke off."),
                (["testStarted", "testEnded"], false, "The run broke off: its last event is missing."),
                ([], true, "It was not run, and nothing says why."),
            ]
        )
        func `a failed or aborted test is a failure with its reason`(
            _ events: [String],
            _ isWhole: Bool,
            _ reason: String
        ) async throws {
            let outcome = try await Self.tally(host: [Self.stream(events, isWhole: isWhole)])
            #expect(outcome.status == 1 && outcome.text.contains("FAILED "), "\(outcome.text)")
            #expect(outcome.text.contains(reason), "\(outcome.text)")
        }

        @Test func `a test in two runs is a failure`() async throws {
            let stream = Self.stream(["testStarted", "testEnded"])
            let outcome = try await Self.tally(host: [stream, stream])
            #expect(outcome.status == 1 && outcome.text.contains("1 passed, 2 failed\n"), "\(outcome.text)")
        }

        @Test(
            arguments: [
                ("boots\n", "testEnded", true), ("boots\none()\n", "testEnded", true), ("sinks\n", "testEnded", false),
                ("boots\none()\n", "testSkipped", false),
            ]
        )
        func `a peer trap without a passing test is a failure`(
            _ traps: String,
            _ event: String,
            _ isCovered: Bool
        ) async throws {
            let outcome = try await Self.tally(host: [Self.stream(["testStarted", event])], traps: traps)
            #expect(outcome.status == (isCovered ? 0 : 1), "\(outcome.text)\(outcome.errors)")
            #expect(outcome.text.contains("No test of this name passed.") == !isCovered)
        }

        @Test(arguments: ["host.jsonl", "Fuzz.tap"])
        func `a missing result file is a failure`(_ name: String) async throws {
            let outcome = try await Self.tally(missing: [name])
            #expect(
                outcome.status == 1 && outcome.text.contains("\(name)\n    There is no such file: the run never began.")
            )
        }

        @Test(
            arguments: [
                ("not ok 1 - boots\n# no kernel\n1..1\n", 1, "no kernel"),
                ("ok 1 - boots\n", 1, "The run broke off after 1 checks."),
                ("ok 1 - boots\n1..2\n", 1, "The run broke off after 1 checks."),
                ("ok 1 - boots\nok 2 - sees # SKIP no camera\n1..2\n", 1, "nothing may be skipped"),
                ("ok 1 - boots\n1..1\n", 2, "1 tests ran there"),
            ]
        )
        func `a skip or missing test in the virtual machine is a failure`(
            _ checks: String,
            _ minimum: Int,
            _ reason: String
        ) async throws {
            let outcome = try await Self.tally(machine: checks, minimum: minimum)
            #expect(outcome.status == 1 && outcome.text.contains(reason), "\(outcome.text)\(outcome.errors)")
        }
    }
}
