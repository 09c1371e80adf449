// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct FrameContractTests {
    @Test func `replies with every field set match the contract`() async throws {
        let contract = try Contract()
        let ids = [Samples.id]
        let problem = Problem(.spoolFull, "It is full.", remedy: "Delete some.")
        let outcome = FrameOutcome(changed: 1, missing: ids, refused: ids, failed: ids, problem: problem)
        let samples: [(String, any Encodable)] = [
            ("FrameRecord", Samples.frame(Samples.still(kept: true).record)),
            ("FrameOutcome", outcome), ("VerificationList", VerificationList(reports: [], unavailable: ["a"])),
            ("RetentionList", RetentionList(reports: [], unavailable: ["a"])),
            ("SpoolReport", Samples.spool), ("SpoolState", Samples.deadSpool.state),
            ("VerificationProgress", try #require(Samples.spool.verification)),
            ("SpoolStatistics", try #require(Samples.spool.statistics)),
            ("FrameTotals", try #require(Samples.spool.statistics?.total)),
            ("VerificationReport", VerificationReport(spool: "a", isDeep: true, damaged: [Samples.id])),
            ("RetentionReport", Samples.retention(isDryRun: true)),
            ("RetentionVictim", try #require(Samples.retention(isDryRun: true).victims.first)),
            ("Examination", Samples.examination),
            ("FrameSpan", FrameSpan(from: Samples.until, to: Samples.until, frames: 1, newest: Samples.id)),
            ("FrameSpanList", FrameSpanList(spans: [], unavailable: ["a"])),
            (
                "FramePage",
                FramePage(frames: [], next: FrameCursor(.newest, after: Samples.id), after: 7, unavailable: ["a"])
            ),
        ]
        for (name, sample) in samples {
            #expect(try contract.faults(in: try WireFormat.encode(sample), as: name) == [])
            #expect(Set(try Contract.object(sample).keys) == Set(try contract.properties(of: name).keys), "\(name)")
        }
    }

    @Test func `requests match the contract in schema, bounds and defaults`() async throws {
        let contract = try Contract()
        let edit = FrameEdit(pinned: true, addTags: ["a"], removeTags: ["b"])
        let samples: [(String, any Encodable)] = [
            ("FrameEdit", edit), ("FrameChange", FrameChange(.ids([Samples.id]), edit)),
            ("FrameSelection", FrameSelection.filter(.is(.camera("a*")))),
            ("FrameQuery", FrameQuery(filter: .any([]), cursor: FrameCursor(.newest, after: Samples.id))),
            ("VerificationRequest", VerificationRequest(deep: true, spool: "a")),
            ("RetentionRequest", RetentionRequest(dryRun: true, spool: "a")),
            ("HoldRequest", HoldRequest(owner: "ann", duration: .seconds(1))),
        ]
        for (name, sample) in samples {
            #expect(try contract.faults(in: try WireFormat.encode(sample), as: name) == [])
        }
        let longest = try contract.property("forMs", of: "HoldRequest")["maximum"] as? Double
        #expect(longest == HoldRequest.durationMsRange.upperBound)
        let limit = try contract.property("limit", of: "FrameQuery")
        #expect(limit["minimum"] as? Int == FrameQuery.limitRange.lowerBound)
        #expect(limit["maximum"] as? Int == FrameQuery.limitRange.upperBound)
        #expect(limit["default"] as? Int == FrameQuery().limit)
        #expect(try contract.property("ids", of: "FrameSelection")["maxItems"] as? Int == FrameSelection.mostIDs)
        #expect(try contract.property("addTags", of: "FrameEdit")["maxItems"] as? Int == StillRequest.mostTags)
        let width = try #require(try contract.query(of: "/v1/frames/{id}/thumbnail", "get")["width"]?["schema"])
        let bounds = try #require(width as? [String: Any])
        #expect(bounds["minimum"] as? Int == ThumbnailWidth.range.lowerBound)
        #expect(bounds["maximum"] as? Int == ThumbnailWidth.range.upperBound)
        #expect(bounds["default"] as? Int == ThumbnailWidth.standard)
        let keys = Set(try contract.query(of: "/v1/frames", "get").keys)
        #expect(keys == ["where", "order", "limit", "cursor", "after", "spool"])
    }

    @Test(arguments: [
        "camera:yard", "all(tag:a*, not pinned)", "any(verdict:intact, settled:no)", "lost", "source:publish",
        "from:2026-11-20, to:2026-11-21T12:00Z", "since:7d", "bytes>100k", "width:640..1280", "height<720",
        "id:01937a2e-7c11-7abc-8def-0123456789ab", "kind:film",
    ])
    func `every kind of filter matches the contract`(text: String) async throws {
        let json = try WireFormat.encode(try FrameFilter(parsing: text))
        let contract = try Contract()
        #expect(try contract.faults(in: json, as: "FrameFilter") == [])
    }
}
