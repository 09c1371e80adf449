// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import TintypeModel

/// `tintype frames` as a process, against a daemon with a fake spool.
struct FramesProcessTests {
    private struct File: Decodable {
        let file: String
    }

    @Test func `a list continues over pages with few matching frames`() async throws {
        try await BuiltCommand.asking(FakeSpool(60, step: 7).answer) { command, daemon in
            let all = try await command.run("frames", "list", "--where", "pinned", "--format", "{sequence} {pinned}")
            #expect(all.text.split(separator: "\n").count == 6, "\(all.errors)")
            let two = try await command.run("frames", "list", "--where", "pinned", "--limit", "2", "--format", "{id}")
            #expect(two.text.split(separator: "\n").count == 2)
        }
    }

    @Test func `the newest frames are listed first, as table, template or JSON`() async throws {
        let spool = FakeSpool(60)
        try await BuiltCommand.asking(spool.answer) { command, _ in
            let table = try await command.run("frames")
            #expect(table.status == 0, "\(table.errors)")
            let lines = table.text.split(separator: "\n")
            #expect(lines.count == 51)
            #expect(lines[0].hasPrefix("ID "))
            #expect(lines[1].hasPrefix("\(spool.frames[59].id)  back"))
            #expect(table.errors == "")
            let fronts = "$T frames list --order oldest --limit 2 --where camera:front --format {id}"
            let oldest = try await command.shell(fronts)
            #expect(oldest.text == "\(spool.frames[0].id)\n\(spool.frames[2].id)\n")
            let json = try await command.run("frames", "list", "--json", "--all")
            #expect(try json.read(FramePage.self).frames == spool.frames.reversed())
            let none = try await command.run("frames", "list", "--json", "--where", "camera:nobody")
            #expect(none.text == "{\"frames\": []}\n")
            #expect(try await command.run("frames", "list", "--where", "camera:nobody").text == "")
        }
    }

    @Test func `many frames are listed page by page, each once`() async throws {
        let spool = FakeSpool(2500)
        try await BuiltCommand.asking(spool.answer) { command, daemon in
            let all = try await command.run("frames", "list", "--all", "--format", "{id}")
            #expect(all.text == spool.frames.reversed().map { "\($0.id)\n" }.joined())
            #expect(daemon.log.requests.count == 3)
            let some = try await command.run("frames", "list", "--limit", "1001", "--format", "{id}")
            #expect(some.text.split(separator: "\n").count == 1001)
            let limits = try daemon.log.requests.suffix(2).map {
                try WireFormat.decode(FrameQuery.self, from: $0.body).limit
            }
            #expect(limits == [1000, 1])
        }
    }

    @Test func `an unavailable spool is reported after the frames of the others`() async throws {
        try await BuiltCommand.asking(FakeSpool(2, unavailable: ["usb"]).answer) { command, _ in
            let list = try await command.run("frames", "list", "--json")
            #expect(list.status == ProblemCode.spoolUnavailable.exitStatus)
            #expect(list.errors.contains("The spool usb does not answer"))
            #expect(try list.read(FramePage.self).frames.count == 2)
            let export = try await command.run("frames", "export", "--where", "all()", "-o", "out")
            #expect(export.status == ProblemCode.spoolUnavailable.exitStatus)
            #expect(export.text.hasPrefix("2 pictures, "))
        }
        // Reported even if the other spools have no frames.
        try await BuiltCommand.asking(FakeSpool(0, unavailable: ["usb"]).answer) { command, _ in
            for arguments in ["list", "rm --where 'all()'", "export --where 'all()' -o out", "show"] {
                let outcome = try await command.shell("$T frames \(arguments)")
                #expect(outcome.status == ProblemCode.spoolUnavailable.exitStatus, "\(arguments)")
                #expect(outcome.errors.contains("The spool usb does not answer"))
            }
        }
    }

    @Test func `frames are shown by ID, from stdin or the newest by default`() async throws {
        let spool = FakeSpool(3)
        try await BuiltCommand.asking(spool.answer) { command, _ in
            let newest = try await command.run("frames", "show")
            #expect(newest.text.hasPrefix("\(spool.frames[2].id)\n"))
            let ids = [spool.frames[1].id, spool.frames[0].id]
            let two = try await command.run("frames", "show", "\(ids[0])", "\(ids[1])", "--json")
            #expect(try two.read(FramePage.self).frames.map(\.id) == ids)
            let piped = try await command.shell("$T frames list --all --format {id} | $T frames show - --json")
            #expect(try piped.read(FramePage.self).frames.count == 3)
            let unknown = try await command.shell("$T frames show \(ids[0]) \(Sample.record.id) \(ids[1]) --json")
            #expect(unknown.status == ProblemCode.frameNotFound.exitStatus)
            #expect(unknown.errors.contains("No frame \(Sample.record.id) is stored."))
            #expect(try unknown.read(FramePage.self).frames.map(\.id) == [ids[0], ids[1]])
            let wrong = try await command.shell("echo \(ids[0]) nonsense | $T frames pin -")
            #expect(wrong.status == ProblemCode.invalidRequest.exitStatus)
            #expect(wrong.errors.hasPrefix("tintype: Word 2 of stdin, “nonsense”, is not the id of a frame.\n"))
            #expect(!spool.frames[1].pinned)
        }
        try await BuiltCommand.asking(FakeSpool(0).answer) { command, _ in
            let none = try await command.run("frames", "show")
            #expect(none.status == ProblemCode.frameNotFound.exitStatus)
            #expect(none.errors.contains("No frame is stored."))
        }
        // The first page ends before the newest frame visible to the client.
        let limited = FakeSpool(4, step: 1, shown: "front")
        try await BuiltCommand.asking(limited.answer) { command, _ in
            let newest = try await command.run("frames", "show", "--json")
            #expect(try newest.read(FramePage.self).frames.map(\.id) == [limited.frames[2].id])
        }
    }

    @Test func `frames are pinned, tagged and deleted in batches, missing ones reported`() async throws {
        let spool = FakeSpool(1200)
        try await BuiltCommand.asking(spool.answer) { command, daemon in
            let ids = spool.frames.map(\.id.description)
            let pinned = try await command.run("frames", "pin", ids[0], ids[2])
            #expect(pinned.text == "2 frames pinned\n")
            #expect(spool.frames[0].pinned && spool.frames[2].pinned && !spool.frames[4].pinned)
            #expect(try await command.run("frames", "unpin", ids[0]).text == "1 frame unpinned\n")
            #expect(!spool.frames[0].pinned)
            let tagged = try await command.shell("$T frames tag --where camera:back --add night --remove door --json")
            #expect(try tagged.read(FrameOutcome.self) == FrameOutcome(changed: 600))
            #expect(spool.frames[1].still.tags == ["night"] && spool.frames[0].still.tags == ["door"])
            let missing = try await command.run("frames", "rm", ids[7], "\(Sample.record.id)", ids[9])
            #expect(missing.status == ProblemCode.frameNotFound.exitStatus)
            #expect(missing.text == "2 frames deleted\n")
            #expect(missing.errors.contains("No frame \(Sample.record.id) is stored."))
            let dry = try await command.run("frames", "rm", "--where", "camera:back", "--dry-run", "--json")
            #expect(try dry.read(FramePage.self).frames.count == 478)
            #expect(spool.frames.count == 1198)
            #expect(try await command.run("frames", "rm", "--where", "camera:back").text == "478 frames deleted\n")
            #expect(spool.frames.count { $0.still.camera == "back" } == 120)
            let pins = try await command.shell("$T frames rm --where camera:back --pinned")
            #expect(pins.text == "120 frames deleted\n")
            let rest = try await command.shell("$T frames list --all --format {id} | $T frames rm -")
            #expect(rest.text == "600 frames deleted\n")
            #expect(spool.frames.isEmpty)
            let sizes = try daemon.log.requests.filter { $0.method == "DELETE" }.map { request -> Int in
                guard case .ids(let ids) = try WireFormat.decode(FrameSelection.self, from: request.body) else {
                    return 0
                }
                return ids.count
            }
            #expect(sizes.allSatisfy { (1...500).contains($0) })
        }
    }

    @Test func `an export has every picture unchanged and can be resumed`() async throws {
        try await withTemporaryFolder { root in
            let spool = FakeSpool(120, folder: root)
            // A file at the path of a record is not read.
            let day = "front/2023/11/14"
            try FileManager.default.createDirectory(atPath: "\(root)/\(day)", withIntermediateDirectories: true)
            try Data(FakeSpool.picture(2).map { ~$0 }).write(to: URL(filePath: "\(root)/\(day)/000002.jpg"))
            try await BuiltCommand.asking(spool.answer) { command, daemon in
                let outcome = try await command.shell("$T frames export --where camera:front -o out/deep/")
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(outcome.text.hasPrefix("60 pictures, 7"))
                for index in stride(from: 0, to: 120, by: 2) {
                    let name = "out/deep/\(day)/\(Timestamp.pad(index, 6)).jpg"
                    #expect(try command.bytes(name) == FakeSpool.picture(index))
                }
                let manifest = try command.bytes("out/deep/manifest.jsonl").split(separator: UInt8(ascii: "\n"))
                #expect(manifest.count == 60)
                #expect(try WireFormat.decode(File.self, from: manifest[1]).file == "\(day)/000002.jpg")
                #expect(try WireFormat.decode(FrameRecord.self, from: manifest[1]) == spool.frames[2])
                // An incomplete export is resumed.
                let folder = "\(daemon.folder)/out/deep/\(day)"
                try FileManager.default.removeItem(atPath: "\(folder)/000004.jpg")
                let again = try await command.shell("$T frames export --where camera:front -o out/deep")
                #expect(again.text == outcome.text.replacing("deep/", with: "deep"))
                try Data("mine".utf8).write(to: URL(filePath: "\(folder)/000006.jpg"))
                let other = try await command.shell("$T frames export --where camera:front -o out/deep")
                #expect(other.status == 74)
                #expect(other.errors.contains("000006.jpg exists already and is not this picture."))
                #expect(try command.bytes("out/deep/\(day)/000006.jpg") == Array("mine".utf8))
            }
        }
    }

    @Test(
        arguments: [
            ([], [2], .frameNotFound, "1 of 5 pictures is missing: "),
            ([2], [3], .corruptOnly, "1 of 5 pictures is damaged: "),
        ] as [([Int], [Int], ProblemCode, String)]
    )
    func `missing and damaged pictures are reported and the others exported`(
        _ damaged: [Int],
        _ missing: [Int],
        _ code: ProblemCode,
        _ words: String
    ) async throws {
        let spool = FakeSpool(5)
        damaged.forEach(spool.damage)
        missing.forEach(spool.lose)
        try await BuiltCommand.asking(spool.answer) { command, daemon in
            let all = try await command.run("frames", "export", "--where", "all()", "-o", "out", "--json")
            #expect(all.status == code.exitStatus)
            #expect(try all.problem.detail == "\(words)\(spool.frames[2].id).")
            let summary = try all.object
            #expect(summary["exported"] as? Int == 5 - damaged.count - missing.count)
            #expect(summary["damaged"] as? [String] ?? [] == damaged.map { spool.frames[$0].id.description })
            #expect(summary["missing"] as? [String] ?? [] == missing.map { spool.frames[$0].id.description })
            let ids = try command.bytes("out/manifest.jsonl").split(separator: UInt8(ascii: "\n")).map {
                try WireFormat.decode(FrameRecord.self, from: $0).id
            }
            let exported = spool.frames.indices.filter { !damaged.contains($0) && !missing.contains($0) }
            #expect(ids == exported.map { spool.frames[$0].id })
            let named = try await command.run("frames", "export", "\(Sample.record.id)", "-o", "none")
            #expect(named.status == ProblemCode.frameNotFound.exitStatus)
            #expect(named.text == "0 pictures, 0 bytes, to none\n")
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: daemon.folder))
            #expect(names == ["s.sock", "out", "none"])
        }
    }

    @Test func `a client without access to the spool list exports its visible pictures`() async throws {
        let spool = FakeSpool(3)
        let denied = Problem(.accessDenied, "You may not see all cameras.", remedy: "Ask for the role view.")
        let answer = { @Sendable (request: FakeDaemon.Request) throws -> FakeDaemon.Reply in
            request.target == "/v1/spool" ? .problem(denied) : try spool.answer(request)
        }
        try await BuiltCommand.asking(answer) { command, _ in
            let outcome = try await command.run("frames", "export", "--where", "all()", "-o", "out")
            #expect(outcome.status == 0, "\(outcome.errors)")
            for (index, frame) in spool.frames.enumerated() {
                #expect(
                    try command.bytes("out/\(frame.still.camera)/\(frame.id).jpg") == FakeSpool.picture(index)
                )
            }
        }
    }

    @Test func `a manifest is written to an existing pipe or file`() async throws {
        try await BuiltCommand.asking(FakeSpool(3).answer) { command, _ in
            let pipe = try await command.shell(
                """
                mkdir p; mkfifo p/manifest.jsonl; cat p/manifest.jsonl > got &
                $T frames export --where 'all()' -o p >&2 || kill $!
                test -p p/manifest.jsonl && wait && wc -l < got
                """
            )
            #expect(pipe.status == 0, "\(pipe.errors)")
            #expect(pipe.text == "3\n")
            let folder = try await command.shell(
                """
                mkdir out; : > out/manifest.jsonl; chmod 600 out/manifest.jsonl
                $T frames export --where 'all()' -o out >&2; stat -c %a out/manifest.jsonl; wc -l < out/manifest.jsonl
                """
            )
            #expect(folder.text == "600\n3\n", "\(folder.errors)")
        }
    }

    @Test func `a failed export leaves the existing manifest unchanged`() async throws {
        try await BuiltCommand.asking(FakeSpool(50).answer) { command, daemon in
            let limited = try await command.shell(
                "mkdir a; printf old > a/manifest.jsonl; trap '' XFSZ; ulimit -f 4; $T frames export --where 'all()' -o a"
            )
            #expect(limited.status == 74)
            #expect(limited.errors.contains("file too large"), "\(limited.errors)")
            #expect(try command.bytes("a/manifest.jsonl") == Array("old".utf8))
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(daemon.folder)/a")
            #expect(Set(left) == ["manifest.jsonl", "front", "back"])
            let file = try await command.run("frames", "export", "--where", "all()", "-o", "a/manifest.jsonl/x")
            #expect(file.status == 74 && file.errors.contains("not a directory"), "\(file.errors)")
        }
    }

    @Test func `a terminal shows the progress of an export`() async throws {
        try await BuiltCommand.asking(FakeSpool(300).answer) { command, _ in
            let outcome = try await command.terminal("$T frames export --where 'all()' -o x")
            #expect(outcome.status == 0)
            #expect(outcome.text.contains("[-") && outcome.text.contains("] 0, 0\u{1B}[K"))
            let quiet = try await command.run("frames", "export", "--where", "all()", "-o", "y")
            #expect(quiet.errors == "")
        }
    }

    @Test func `a terminal gets a hint if a list is cut off`() async throws {
        try await BuiltCommand.asking(FakeSpool(60).answer) { command, _ in
            let cut = "There are more: see --limit, --all and --where."
            for (arguments, isTold) in [("", true), ("--format {id}", true), ("--limit 50", false), ("--all", false)] {
                let outcome = try await command.terminal("$T frames list \(arguments) > ids")
                #expect(outcome.status == 0 && outcome.text.contains(cut) == isTold, "\(arguments): \(outcome.text)")
            }
        }
    }

    @Test(.requiresUnnamedFiles) func `a killed export leaves no partial files`() async throws {
        let spool = FakeSpool(20)
        try await withTemporaryFolder { root in
            let killing: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { request in
                if request.target.hasSuffix("\(spool.frames[10].id)/image"),
                    let text = try? String(contentsOfFile: "\(root)/pid", encoding: .utf8),
                    let pid = pid_t(text.trimmingCharacters(in: .newlines))
                {
                    kill(pid, SIGKILL)
                }
                return try spool.answer(request)
            }
            try await BuiltCommand.asking(killing) { _, daemon in
                let command = BuiltCommand(folder: root, socket: daemon.socket)
                let outcome = try await command.shell("echo $$ > pid; exec $T frames export --where 'all()' -o out")
                #expect(outcome.isSignalled, "\(outcome.errors)")
                let left = try FileManager.default.subpathsOfDirectory(atPath: root).filter { name in
                    !name.hasSuffix(".jpg") && (name.contains(".tintype") || name.hasSuffix(".jsonl"))
                }
                #expect(left == [])
                #expect(try FileManager.default.subpathsOfDirectory(atPath: root).count { $0.hasSuffix(".jpg") } == 10)
            }
        }
    }

    /// Runs `body` with a daemon that replies with these reports.
    private func reporting(
        verified: [VerificationReport] = [VerificationReport(spool: "default")],
        silent: (onVerify: [String], onRetention: [String])? = nil,
        _ body: (BuiltCommand, FakeDaemon) async throws -> Void
    ) async throws {
        let progress = VerificationProgress(files: 10, frames: 5, of: 10)
        let spool = SpoolReport(spool: "default", folder: "/spool", state: .available, verification: progress)
        let thinned = [RetentionReport(spool: "default", isDryRun: true)]
        let answer: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            switch request.target {
            case "/v1/spool": .json(SpoolList(spools: [spool]))
            case "/v1/spool/verify": .json(VerificationList(reports: verified, unavailable: silent?.onVerify))
            default: .json(RetentionList(reports: thinned, unavailable: silent?.onRetention))
            }
        }
        try await BuiltCommand.asking(answer, body)
    }

    @Test func `an unavailable spool is exit status 36, after the reports of the others`() async throws {
        let lost = [VerificationReport(spool: "default", lost: 1)]
        try await reporting(verified: lost, silent: (["usb"], ["card", "usb"])) { command, _ in
            let verified = try await command.run("frames", "verify")
            #expect(verified.status == 36 && verified.text.contains("lost  1"), "\(verified.text)")
            #expect(verified.errors.contains("The spool usb does not answer"), "\(verified.errors)")
            let thinned = try await command.run("frames", "retention", "--json")
            #expect(thinned.status == 36 && thinned.errors.contains("card, usb"), "\(thinned.errors)")
            let list = try thinned.read(RetentionList.self)
            #expect(list.reports.count == 1 && list.unavailable == ["card", "usb"])
        }
    }

    @Test func `frames that cannot be deleted are reported and the others deleted`() async throws {
        let spool = FakeSpool(1200)
        let stuck = Array(spool.frames.prefix(600).map(\.id))
        spool.keep(Set(stuck), Problem(.spoolUnavailable, "It may not be removed.", remedy: "Look at its folder."))
        try await BuiltCommand.asking(spool.answer) { command, _ in
            let outcome = try await command.run("frames", "rm", "--where", "all()", "--pinned")
            #expect(outcome.status == ProblemCode.spoolUnavailable.exitStatus)
            #expect(outcome.text == "600 frames deleted\n")
            let words = "600 frames were not deleted, the first of them \(stuck[0]): It may not be removed."
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(spool.frames.map(\.id) == stuck)
            let one = try await command.run("frames", "rm", stuck[3].description, "--json")
            #expect(one.status == ProblemCode.spoolUnavailable.exitStatus)
            #expect(one.errors.contains("The frame \(stuck[3]) was not deleted: It may not be removed."))
            #expect(try one.read(FrameOutcome.self).failed == [stuck[3]])
        }
    }

    @Test(
        arguments: [
            (VerificationReport(spool: "default", takenIn: 3, found: 2, foreign: 1, removed: 1, leftovers: 1), 0),
            (VerificationReport(spool: "default", isDeep: true, damaged: []), 0),
            (VerificationReport(spool: "default", quarantined: 1), 3),
            (VerificationReport(spool: "default", lost: 1), 3),
            (VerificationReport(spool: "default", missing: 1), 3),
            (VerificationReport(spool: "default", unread: 1), 3),
            (VerificationReport(spool: "default", isDeep: true, damaged: [Sample.record.id]), 3),
        ] as [(VerificationReport, Int32)]
    )
    func `verify exits with status 3 for damaged, missing or unread frames`(
        _ report: VerificationReport,
        _ status: Int32
    ) async throws {
        try await reporting(verified: [VerificationReport(spool: "usb"), report]) { command, _ in
            let outcome = try await command.run("frames", "verify", "--json")
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(try outcome.read(VerificationList.self).reports.last == report)
        }
    }

    @Test func `spools are reported, verified and pruned by options`() async throws {
        try await reporting { command, daemon in
            let stats = try await command.run("frames", "stats").text
            #expect(stats == "default: available\n  folder     /spool\n  verifying  5/10 frames\n")
            let well = try await command.run("frames", "verify")
            #expect(well.status == 0 && well.text == "default: folder and catalog agree\n")
            let seen = try await command.terminal("$T frames verify")
            #expect(seen.text.contains("[####") && seen.text.contains("---] 5/10 frames, "), "\(seen.text)")
            #expect(try await command.run("frames", "verify", "--deep", "--spool", "default").status == 0)
            // The last request of the progress bar may arrive after the command has ended.
            let request = try #require(daemon.log.requests.last { $0.target == "/v1/spool/verify" })
            #expect(
                try WireFormat.decode(VerificationRequest.self, from: request.body)
                    == VerificationRequest(deep: true, spool: "default")
            )
            let asked: [([String], RetentionRequest)] = [
                ([], RetentionRequest(dryRun: true)), (["--apply"], RetentionRequest()),
                (["--confirm", "--spool", "usb"], RetentionRequest(confirm: true, spool: "usb")),
                (["--confirm", "--dry-run"], RetentionRequest(dryRun: true, confirm: true)),
            ]
            for (arguments, expected) in asked {
                let script = "$T frames retention \(arguments.joined(separator: " "))"
                #expect(try await command.shell(script).status == 0)
                let body = try #require(daemon.log.requests.last { $0.target != "/v1/spool" }).body
                #expect(try WireFormat.decode(RetentionRequest.self, from: body) == expected)
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Requires unnamed files (`O_TMPFILE`) in /tmp, which all disk file systems support.
    fileprivate static var requiresUnnamedFiles: Self {
        .enabled("the file system of /tmp knows no files without a name") {
            let descriptor = unsafe open("/tmp", 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o600)
            if descriptor >= 0 { close(descriptor) }
            return descriptor >= 0
        }
    }
}
