// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

struct CompletionTests {
    private static func answer(_ request: FakeDaemon.Request) -> FakeDaemon.Reply {
        var back = Sample.camera
        back.name = "back"
        back.format = nil
        let gain = ControlDescription(id: 1, title: "Gain", controlClass: "user_controls", type: .integer, maximum: 9)
        var fixed = gain
        fixed.name = "fixed"
        fixed.flags = [.readOnly]
        let profile = ControlProfile(name: "night", source: .saved, controls: ControlSettings())
        var hostile = profile
        hostile.name = "a\u{1B}b"
        switch request.target {
        case "/v1/cameras": return .json(CameraList(cameras: [back, Sample.camera]))
        case "/v1/cameras/front": return .json(Sample.camera)
        case "/v1/cameras/back": return .json(back)
        case "/v1/cameras/front/controls": return .json(ControlList(controls: [gain, fixed]))
        case "/v1/cameras/front/controls/profiles":
            return .json(ControlProfileList(profiles: [profile, hostile]))
        case "/v1/jobs": return .json(JobList(jobs: [Sample.job("k3v9qa2m", rule: "site")], worker: true))
        default: return .problem(Sample.problem)
        }
    }

    /// The completions of bash for the last word of `line`.
    private func words(_ line: String, _ command: BuiltCommand) async throws -> [String] {
        let script = """
            eval "$($T --generate-completion-script bash)"
            PATH="$(dirname "$T"):$PATH"
            COMP_WORDS=(\(line.hasSuffix(" ") ? line + "''" : line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
            _tintype tintype "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2> /dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try await command.shell(script).text.split(separator: "\n").map {
            String($0).trimmingCharacters(in: .whitespaces)
        }
    }

    /// Repeats the completion until it has `wanted`: on a busy machine the command may time out.
    private func words(_ line: String, _ command: BuiltCommand, until wanted: String) async throws -> [String] {
        while true {
            let words = try await words(line, command)
            if words.contains(wanted) { return words }
        }
    }

    @Test func `cameras, controls, profiles and jobs are completed`() async throws {
        try await BuiltCommand.asking(Self.answer) { command, daemon in
            let cameras = try await words("tintype still ", command, until: "front")
            #expect(cameras.contains("back"), "\(cameras)")
            #expect(try await words("tintype still fr", command, until: "front") == ["front"])
            let other = BuiltCommand(folder: daemon.folder, socket: "/nowhere/s.sock")
            for option in ["--socket \(daemon.socket)", "--socket = \(daemon.socket)"] {
                _ = try await words("tintype controls set front \(option) ", other, until: "gain=")
            }
            let controls = try await words("tintype controls set front ", command, until: "gain=")
            #expect(!controls.contains("fixed="))
            let profiles = try await words("tintype controls profiles apply front ", command, until: "night")
            #expect(!profiles.contains { $0.contains("\u{1B}") }, "\(profiles)")
            let jobs = try await words("tintype jobs pause ", command, until: "site")
            #expect(jobs.contains("k3v9qa2m"), "\(jobs)")
            // A closed camera is not opened.
            _ = try await words("tintype controls set back ", command)
            #expect(!daemon.log.requests.contains { $0.target == "/v1/cameras/back/controls" })
        }
    }

    @Test func `a daemon that is missing, failing or hung completes nothing`() async throws {
        #expect(try await words("tintype still fr", BuiltCommand.alone) == [])
        for reply in [FakeDaemon.Reply.silence, .bytes("nonsense"), .problem(Sample.problem)] {
            try await FakeDaemon.serving(always: reply) { daemon in
                let command = BuiltCommand(folder: daemon.folder, socket: daemon.socket)
                let completed = try await words("tintype still fr", command)
                #expect(completed == [])
            }
        }
    }
}
