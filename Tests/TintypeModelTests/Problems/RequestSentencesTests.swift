// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

/// Sentences about faulty fields, which come from the tables of the requests.
struct RequestSentencesTests {
    /// Request that every fault of a field is tried in.
    struct Request: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var names: [String]
        /// Reads a request with one field replaced, or removed for nil.
        var read: @Sendable (_ name: String, _ json: String?) throws -> Void

        init<Wanted: WireRequest>(_ type: Wanted.Type, _ valid: [String: String] = [:]) {
            testDescription = "\(type)"
            names = type.fields.map(\.name)
            read = { name, json in
                var fields = valid
                fields[name] = json
                let members = fields.map { "\"\($0)\":\($1)" }.joined(separator: ",")
                _ = try WireFormat.decode(type, from: "{\(members)}".utf8)
            }
        }
    }

    private static let filter = ["where": #""camera:yard""#]
    private static let id = #""019ad000-0000-7000-8000-000000000000""#
    private static let video = ["bytes": "1", "width": "1", "height": "1", "durationMs": "1", "pictures": "1"]

    static let requests = [
        Request(StillRequest.self), Request(TriggerRequest.self), Request(ClipRequest.self), Request(ScanRequest.self),
        Request(ExaminationRequest.self), Request(HoldRequest.self, ["owner": #""ann""#, "forMs": "1"]),
        Request(ReleaseRequest.self), Request(FrameQuery.self), Request(FrameEdit.self, ["pinned": "true"]),
        Request(FrameSelection.self, filter), Request(FrameChange.self, filter.merging(["pinned": "true"]) { $1 }),
        Request(FrameSpanQuery.self, ["times": #"["1","2"]"#]), Request(VerificationRequest.self),
        Request(RetentionRequest.self), Request(LoginRequest.self, ["token": #""tt_x""#]),
        Request(JobChange.self, ["priority": "1"]), Request(FilmRequest.self, filter),
        Request(JobRequest.self, filter.merging(["to": #""s3:b/{id}""#]) { $1 }), Request(WorkReport.self),
        Request(WorkReport.Failure.self, ["id": id, "error": #""x""#, "isFinal": "true"]),
        Request(VideoResult.self, video), Request(EventRequest.self), Request(StreamRequest.self),
        Request(CombinedStreamRequest.self),
    ]

    @Test(arguments: requests)
    func `each fault of each field has a sentence and a remedy that name what to give`(_ request: Request) throws {
        for name in request.names {
            var faults = 0
            for json in [nil, "null", "true", "-1e9", "1e18", #""""#, "[]", "[1]", #"["x"]"#, #"["a","a"]"#, "{}"] {
                do {
                    try request.read(name, json)
                } catch let problem as Problem {
                    faults += 1
                    let text = "\(problem)"
                    #expect(
                        problem.field?.contains(name) == true || request.names.contains(problem.field ?? ""),
                        "\(text)"
                    )
                    #expect(
                        problem.detail.wholeMatch(of: /The field [^ ]+ [a-z][^.]*(\.[0-9][^.]*)*\./) != nil,
                        "\(text)"
                    )
                    #expect(problem.remedy.wholeMatch(of: /[A-Z].*[.?]/) != nil, "\(text)")
                    #expect(!text.contains("not valid") && !text.contains("Give it"), "\(text)")
                }
            }
            #expect(faults > 0, "\(name)")
        }
    }

    @Test(arguments: [
        ("StillRequest", "crop", "7", "is not a rectangle. Give size, left and top in pixels, such as 640x480+100+50."),
        ("StillRequest", "size", #""min""#, "is not max. Give max, or leave it out."),
        (
            "StillRequest", "reject", #"["x"]"#,
            "has an item that is not one of black, uniform, frozen. Give one of them."
        ),
        (
            "StillRequest", "reject", #"["frozn"]"#,
            "has an item that is not one of black, uniform, frozen. Did you mean frozen?"
        ),
        ("StillRequest", "reject", #"["black","black"]"#, "has an item twice. Give each item once."),
        ("StillRequest", "quality", "0", "is not a whole number from 1 to 100. Give such a number."),
        ("StillRequest", "quality", #""high""#, "is not a whole number from 1 to 100. Give such a number."),
        (
            "StillRequest", "quality", #""90""#,
            "is not a whole number from 1 to 100. Give such a number, without quotes."
        ),
        ("StillRequest", "keep", "1", "has the wrong type. Give true or false."),
        ("FrameQuery", "after", "-1", "is not a whole number from 0 on. Give such a number."),
        (
            "FrameQuery", "cursor", #""x""#,
            "is not the cursor of a page of frames. Use the field next of a page as it is, or leave it out."
        ),
        ("FrameSelection", "ids", "7", "has the wrong type. Give a list, each item the id of a frame."),
        (
            "FrameSelection", "ids", #"["x"]"#,
            "has an item that is not the id of a frame. Give ids as the records of frames have them."
        ),
        ("FilmRequest", "fps", "61", "is not a number from 0.1 to 60. Give such a number."),
        ("StreamRequest", "rate", "0", "is not a number above 0 and at most 1000. Give such a number."),
        (
            "HoldRequest", "forMs", nil,
            "is missing. Give a number of milliseconds from 1 to 86400000: the time from now, at most 24 h; never shortens "
                + "a lease."
        ),
        ("JobRequest", "where", nil, "is missing. Give a filter: the pictures; all() for all of them."),
        (
            "FrameSpanQuery", "times", nil,
            "is missing. Give times such as 2026-11-30T00:00:00Z,2026-12-01T00:00:00Z, or milliseconds since 1970."
        ),
        (
            "WorkReport", "failures", "[1]",
            "has an item that has the wrong type. Give an object."
        ),
    ])
    func `a sentence names the values that a field takes`(
        _ type: String,
        _ name: String,
        _ json: String?,
        _ words: String
    ) throws {
        let request = try #require(Self.requests.first { $0.testDescription == type })
        let problem = expectInvalid(name) { try request.read(name, json) }
        #expect(problem.map { "\($0)" } == "The field \(name) \(words)")
    }
}
