// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

struct FrameCommandTests {
    private static let id = Sample.frame.id.description

    @Test(arguments: [
        ("list", "camera:a, bites>3", "character 11"), ("list", "", "The filter is empty"),
        ("rm", " \n", "The filter is empty"),
        ("pin", "", "The filter is empty"), ("export -o x", " ", "The filter is empty"),
    ])
    func `an invalid or empty filter is refused with its position`(_ command: String, _ filter: String, _ words: String)
        async
    {
        let arguments = ["frames"] + command.split(separator: " ").map(String.init) + ["--where", filter]
        let error = await #expect(throws: (any Error).self) { try await RootCommand.asyncParseAsRoot(arguments) }
        #expect(error.map { RootCommand.message(for: $0).contains(words) } == true)
    }

    @Test func `a failure report has singular and plural forms`() throws {
        let id = Sample.frame.id
        let one = try #require(Problem(undone: FrameOutcome(refused: [id])))
        #expect(one.detail == "The frame \(id) would have more than 16 tags and stayed as it was.")
        let two = try #require(Problem(undone: FrameOutcome(refused: [id, id])))
        #expect(two.detail.hasPrefix("2 frames would have more than 16 tags and stayed as they were, the first of"))
        #expect(
            PictureExport.Summary(exported: 1, missing: [id]).problem?.detail == "1 of 2 pictures is missing: \(id)."
        )
        #expect(
            PictureExport.Summary(exported: 1, missing: [id, id]).problem?.detail
                == "2 of 3 pictures are missing, the first of them \(id)."
        )
    }

    @Test(
        arguments: [
            (["--where", "tag:a"], .fitting(.all([.is(.tag("a")), .not(.is(.pinned(true)))]))),
            (["--where", "all(tag:a)"], .fitting(.all([.is(.tag("a")), .not(.is(.pinned(true)))]))),
            (["--where", "tag:a", "--pinned"], .fitting(.is(.tag("a")))), ([id, id], .named([Sample.frame.id])),
        ] as [([String], ChosenFrames)]
    )
    func `rm with a filter leaves pinned frames unless --pinned is given`(_ arguments: [String], _ chosen: ChosenFrames)
        async throws
    {
        let command = try await RootCommand.asyncParseAsRoot(["frames", "rm"] + arguments)
        #expect(try #require(command as? FramesRemoveCommand).chosen() == chosen)
    }

    @Test func `a frame is printed with its set fields only`() {
        var frame = Sample.frame
        let short = FrameReport.text(frame)
        #expect(short.hasPrefix("\(frame.id)\n  camera"))
        #expect(short.contains("file      /spool/front/a.jpg\n"))
        #expect(!short.contains("pinned") && !short.contains("lost") && !short.contains("verdict"))
        frame.pinned = true
        frame.lost = true
        frame.still.verdict = .tolerated
        frame.still.faults = [.size]
        frame.still.settled = false
        frame.still.appearance = [.black]
        let long = FrameReport.text(frame)
        for part in ["retention leaves it alone", "its file is gone", "tolerated (size)", "settled", "looks", "black"] {
            #expect(long.contains(part), "\(part)")
        }
        #expect(FrameReport.table([frame]).text(width: nil).contains("pinned,lost,unsettled,black"))
    }

    @Test func `a spool is printed with problem, limit and statistics`() {
        let problem = Problem(.spoolUnavailable, "It is gone.", remedy: "Plug it in.")
        let time = Timestamp(microseconds: 0)
        let dead = SpoolReport(
            spool: "usb",
            folder: "/media/usb",
            state: .unavailable(reason: problem, since: time, nextAttempt: time)
        )
        let text = SpoolText.report(dead)
        #expect(text.hasPrefix("usb: unavailable\n"))
        for part in ["/media/usb", "spool-unavailable: It is gone.", "Plug it in.", "1970"] {
            #expect(text.contains(part))
        }
        let totals = FrameTotals(frames: 3, bytes: 2048, pinned: 1, lost: 2, oldest: time, newest: time)
        let well = SpoolReport(
            spool: "default",
            folder: "/spool",
            state: .available,
            limit: SpoolLimit(durability: .data, sentence: "It is exFAT."),
            statistics: SpoolStatistics(
                spool: "default",
                folder: "/spool",
                total: totals,
                cameras: ["front": totals],
                freeBytes: 1 << 30,
                quarantined: 4
            )
        )
        let full = SpoolText.report(well)
        let parts = [
            "default: available", "data: It is exFAT.", "3, 2k bytes", "pinned", "lost", "quarantined  4", "1G bytes",
        ]
        for part in parts + ["front"] { #expect(full.contains(part), "\(part)") }
    }

    @Test func `verification and retention reports are printed`() {
        let id = Sample.frame.id
        #expect(SpoolText.verification(VerificationReport(spool: "a")) == "a: folder and catalog agree\n")
        #expect(
            SpoolText.verification(VerificationReport(spool: "a", isDeep: true, damaged: []))
                == "a: folder and catalog agree, and every picture is whole\n"
        )
        for report in [VerificationReport(spool: "a", missing: 3), VerificationReport(spool: "a", unread: 3)] {
            let text = SpoolText.verification(report)
            #expect(text.contains(" 3 (") && !text.contains("agree"), "\(text)")
        }
        let report = VerificationReport(spool: "a", takenIn: 2, lost: 1, damaged: [id])
        let text = SpoolText.verification(report)
        #expect(
            text == """
                a:
                  taken in  2 (whole pictures without a row)
                  lost      1 (their files are gone)
                  damaged   1 (their bytes differ from those that were stored)
                    \(id)

                """
        )
        let victim = RetentionReport.Victim(
            id: id,
            camera: "front",
            capturedAt: Timestamp(microseconds: 0),
            bytes: 4096,
            rule: "maxAge 30d"
        )
        let dry = RetentionReport(
            spool: "a",
            isDryRun: true,
            victims: [victim],
            frames: 3,
            bytes: 8192,
            keptByPin: 1,
            withheld: "The clock was set."
        )
        let told = SpoolText.retention(dry)
        #expect(told.hasPrefix("a: 3 frames, 8k bytes, would be deleted; kept by a pin: 1\nThe clock was set.\nID "))
        #expect(told.contains("maxAge 30d") && told.hasSuffix("and 2 more\n"))
        #expect(SpoolText.retention(RetentionReport(spool: "a", isDryRun: false)) == "a: 0 frames, 0 bytes, deleted\n")
    }
}
