// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// `tintype doctor` against the built daemon.
    @Suite struct DoctorTests {
        private struct Report: Decodable {
            struct Entry: Decodable {
                let camera: String?
                let code: String
                let detail: String
                let remedy: String
            }
            let healthy: Bool
            let findings: [Entry]
        }

        private func report(_ outcome: Child.Outcome) throws -> Report {
            try outcome.read(Report.self)
        }

        @Test(arguments: ["YUYV:640x360@15", "MJPG:640x360@15"])
        func `a healthy camera has no finding and exit status 0`(pattern: String) async throws {
            try await Site.serving(pattern) { site, _ in
                let json = try await site.tintype("doctor", "pattern", "--json")
                #expect(json.status == 0, "\(json.text) \(json.errors)")
                let report = try report(json)
                #expect(report.healthy && report.findings.isEmpty)
                let examination = try await site.client.examine(ExaminationRequest(), of: "pattern")
                #expect(examination.frames.captured >= 30 && examination.pictures.examined > 10)
                let text = try await site.tintype("doctor")
                #expect(text.status == 0 && text.text == "pattern: healthy\n", "\(text.text)")
                // Nothing is stored, and a lingering camera is opened once.
                #expect(try await site.client.camera("pattern").counters.opened == 1)
                #expect(try site.pictures.isEmpty)
            }
        }

        @Test(
            arguments: [
                ("YUYV:320x180@20,dark", "dark", "under 48 of 255"),
                ("MJPG:320x180@20,frozen", "frozen", "are equal"),
                ("YUYV:320x180@20,flag-every=3", "damaged-frames", "with the driver's error flag"),
                ("YUYV:320x180@20,short-every=3", "damaged-frames", "cut short"),
                ("MJPG:320x180@20,cut-every=3", "damaged-frames", "not whole pictures"),
                ("YUYV:320x180@20,stall-after=0", "no-frames", "pattern"),
                ("YUYV:320x180@20,busy", "busy", "VIDIOC_STREAMON"),
                ("YUYV:320x180@20,deny", "denied", "permission denied"),
                ("YUYV:320x180@20,no-bandwidth", "usb-bandwidth", "VIDIOC_STREAMON"),
                ("YUYV:320x180@20,hang-after=3,hang=30s", "driver-stuck", "VIDIOC_DQBUF"),
            ]
        )
        func `each fault is one finding with a remedy`(
            pattern: String,
            code: String,
            words: String
        ) async throws {
            try await Site.serving(pattern) { site, _ in
                let outcome = try await site.tintype("doctor", "pattern", "--json")
                #expect(outcome.status == 3, "\(outcome.errors)")
                let report = try report(outcome)
                #expect(!report.healthy)
                #expect(report.findings.count == 1, "\(outcome.text)")
                let finding = try #require(report.findings.first)
                #expect(finding.code == code, "\(outcome.text)")
                #expect(finding.detail.contains(words), "\(finding.detail)")
                #expect(finding.camera == "pattern")
                #expect(!finding.remedy.isEmpty && finding.detail.hasSuffix("."))
            }
        }

        @Test(arguments: [
            ("tintype-has-no-node", ["front: node-missing", "There is no camera at /dev/tintype-has-no-node."]),
            ("full", ["/dev/full is not a video device."]),
        ])
        func `reports a missing node and a node that is no camera`(
            node: String,
            words: [String]
        ) async throws {
            try await Site.with { site in
                _ = try await site.startDaemon([], configuration: "cameras: {front: {device: /dev/\(node)}}\n")
                let outcome = try await site.tintype("doctor", "front")
                #expect(outcome.status == 3, "\(outcome.text)")
                for words in words { #expect(outcome.text.contains(words), "\(outcome.text)") }
            }
        }

        @Test func `names the process with the open node without a daemon`() async throws {
            try await Site.with { site in
                let holder = try site.start("/bin/sh", ["-c", "exec sleep 60 9< /dev/full"])
                try await eventually("the holder has it open") {
                    let comm = try? String(contentsOfFile: "/proc/\(holder.pid)/comm", encoding: .utf8)
                    return comm == "sleep\n"
                }
                let outcome = try await site.tintype("doctor", "/dev/full")
                #expect(outcome.status == 3)
                #expect(outcome.text.contains("daemon-unreachable"))
                #expect(outcome.text.contains("/dev/full: busy: "), "\(outcome.text)")
                #expect(outcome.text.contains("sleep (pid \(holder.pid), user "), "\(outcome.text)")
                holder.end()
                #expect(!(try await site.tintype("doctor", "/dev/full").text.contains("pid \(holder.pid)")))
            }
        }

        @Test(.requiresNoCamera) func `reports a missing camera with and without a daemon`() async throws {
            try await Site.with { site in
                let alone = try report(try await site.tintype("doctor", "--json"))
                #expect(alone.findings.map(\.code) == ["daemon-unreachable", "node-missing"])
                _ = try await site.startDaemon([])
                let outcome = try await site.tintype("doctor", "--json")
                #expect(outcome.status == 3)
                #expect(try report(outcome).findings.map(\.code) == ["node-missing"])
            }
        }
    }
}
