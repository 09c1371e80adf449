// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

struct ContractTests {
    @Test func `the contract has the same paths and methods as the router`() throws {
        let responder = ControlResponder(.fakes(), logger: .quiet)
        let served = responder.methods.mapValues { Set($0.map { $0.rawValue.lowercased() }) }
        #expect(try Contract().methods == served)
    }

    @Test func `the contract has every problem code, request field and default`() throws {
        let contract = try Contract()
        let codes = try #require(contract.property("code", of: "Problem")["enum"] as? [String])
        #expect(codes == ProblemCode.allCases.map(\.rawValue))
        let examination = ExaminationRequest()
        let requests: [(String, any Encodable, names: [String])] = [
            ("StillRequest", StillRequest(), StillRequest.fields.map(\.name)),
            ("ExaminationRequest", examination, try Contract.object(examination).keys.map(\.self)),
            ("TriggerRequest", TriggerRequest(), TriggerRequest.fields.map(\.name)),
            ("ClipRequest", ClipRequest(), ClipRequest.fields.map(\.name)),
            ("ScanRequest", ScanRequest(), ScanRequest.fields.map(\.name)),
        ]
        for (schema, request, names) in requests {
            #expect(Set(names) == Set(try contract.properties(of: schema).keys))
            // Fields that are not encoded have no default.
            let defaults = try Contract.object(request)
            for name in names {
                let told = try contract.property(name, of: schema)["default"]
                #expect(told.map { "\($0)" } == defaults[name].map { "\($0)" }, "\(schema) \(name)")
            }
        }
    }

    @Test(arguments: [
        ("GET /healthz", "Health"), ("GET /v1/cameras", "CameraList"), ("GET /v1/cameras/pattern", "CameraStatus"),
        ("GET /v1/cameras/pattern/configuration", "ConfigurationReport"),
        ("GET /v1/cameras/pattern/formats", "FormatList"), ("POST /v1/cameras/pattern/stills", "StillList"),
        ("POST /v1/cameras/pattern/examine", "Examination"), ("POST /v1/cameras/pattern/trigger", "TriggerReport"),
        ("POST /v1/cameras/pattern/scan", "ScanReport"),
        ("GET /v1/cameras/pattern/controls", "ControlList"),
        ("POST /v1/cameras/pattern/controls/reset", "ControlOutcomeList"),
        ("GET /v1/cameras/pattern/controls/profiles", "ControlProfileList"),
        ("GET /v1/cameras/pattern/controls/profiles/night", "ControlProfile"),
        ("PUT /v1/cameras/pattern/controls/profiles/day", "ControlProfile"),
        ("POST /v1/cameras/pattern/controls/profiles/night/apply", "ControlOutcomeList"),
        ("GET /v1/cameras/pattern/controls/profiles/night/diff", "ControlDifferenceList"),
        ("PATCH /v1/cameras/pattern/controls", "Problem"),
        ("DELETE /v1/cameras/pattern/controls/profiles/none", "Problem"),
        ("GET /v1/frames/\(Samples.id)", "FrameRecord"), ("GET /nothing", "Problem"),
        ("GET /v1/frames?where=tag:alarm&limit=7", "FramePage"), ("POST /v1/frames/query", "FramePage"),
        ("GET /v1/frames/days?times=0,86400000,2026-11-30", "FrameSpanList"), ("GET /v1/frames/days", "Problem"),
        ("GET /v1/frames?limit=0", "Problem"), ("DELETE /v1/frames", "Problem"),
        ("GET /v1/spool", "SpoolList"), ("POST /v1/spool/verify", "VerificationList"),
        ("POST /v1/spool/retention", "RetentionList"),
        ("POST /v1/cameras/pattern/start", "CameraStatus"), ("POST /v1/cameras/pattern/stop", "CameraStatus"),
        ("POST /v1/cameras/pattern/release", "HoldList"), ("POST /v1/cameras/pattern/hold", "Problem"),
        (#"POST /v1/cameras/pattern/hold {"owner":"ann","forMs":1}"#, "CameraHold"),
        (#"POST /v1/cameras/pattern/release {"owner":"ann"}"#, "HoldList"),
        ("GET /v1/cameras/pattern/still.jpg?keep=2", "Problem"),
        ("GET /v1/jobs", "JobList"), ("GET /v1/jobs/k3v9qa2m", "Job"), ("POST /v1/jobs/k3v9qa2m/pause", "Job"),
        (#"POST /v1/jobs {"where":"all()","to":"s3:a/{id}"}"#, "Job"), ("GET /v1/jobs/none", "Problem"),
        (#"PATCH /v1/jobs/k3v9qa2m {"priority":1}"#, "Job"), ("POST /v1/work", "WorkOrder"),
        (#"POST /v1/films {"where":"camera:a","speed":600}"#, "Job"), ("GET /v1/work/b1/pictures", "FramePage"),
    ])
    func `replies match the schemas of the contract`(request: String, schema: String) async throws {
        let contract = try Contract()
        let parts = request.split(separator: " ", maxSplits: 2).map(String.init)
        try await withAPI(.router) {
            let reply = try await $0("\(parts[0]) \(parts[1])", body: parts.count > 2 ? parts[2] : nil)
            #expect(try contract.faults(in: reply.body, as: schema) == [])
        }
    }

    @Test func `the reply to a burst reports missed stills according to the contract`() async throws {
        let contract = try Contract()
        try await withAPI(.router) { api in
            let reply = try await api("POST /v1/cameras/pattern/stills", body: #"{"count":2}"#)
            #expect(reply.status == 201)
            #expect(try reply.value(StillList.self).missed?.map(\.index) == [1])
            #expect(try contract.faults(in: reply.body, as: "StillList") == [])
        }
        let codes = try #require(contract.property("code", of: "MissedStill")["enum"] as? [String])
        #expect(codes == ProblemCode.allCases.map(\.rawValue))
        let reasons = try #require(contract.property("skipped", of: "StillRecord")["propertyNames"] as? [String: Any])
        #expect(Set(reasons["enum"] as? [String] ?? []) == Set(SkipReason.allCases.map(\.rawValue)))
    }

    @Test func `a burst in lines has one still per line and missed stills in the last`() async throws {
        let contract = try Contract()
        let accept = ["Accept": StillList.linesMediaType]
        let burst = #"{"count":2}"#
        func lines(_ reply: Reply, as schema: String) throws -> [[UInt8]] {
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == StillList.linesMediaType)
            #expect(reply.body.last == UInt8(ascii: "\n"))
            let lines = reply.body.split(separator: UInt8(ascii: "\n")).map(Array.init)
            for line in lines { #expect(try contract.faults(in: line, as: schema) == []) }
            return lines
        }
        try await withAPI(.router) { api in
            let reply = try await api("POST /v1/cameras/pattern/stills", headers: accept, body: burst)
            let lists = try lines(reply, as: "StillList").map { try WireFormat.decode(StillList.self, from: $0) }
            #expect(lists.map(\.stills.count) == [1, 0])
            #expect(lists.map { $0.missed?.map(\.index) } == [nil, [1]])
            // A single still is one JSON document.
            let still = try await api("POST /v1/cameras/pattern/stills", headers: accept)
            #expect(still.status == 201 && still.headers["content-type"] == "application/json")
        }
        let late = Problem(.deadlineExceeded, "No picture came.", remedy: "Wait.")
        try await withAPI(.router, cameras: FakeCameras(take: { (_, _) throws(Problem) in throw late })) { api in
            let reply = try await api("POST /v1/cameras/pattern/stills", headers: accept, body: burst)
            let problems = try lines(reply, as: "Problem").map { try WireFormat.decode(Problem.self, from: $0) }
            #expect(problems == [late])
        }
    }

    @Test func `the schema check finds missing, unknown and mistyped fields`() async throws {
        let contract = try Contract()
        let health = ["$ref": "#/components/schemas/Health"]
        #expect(contract.faults(of: ["status": "ok"], as: health, at: "h") == ["h.version is missing"])
        #expect(
            contract.faults(of: ["status": "ok", "version": "1", "x": 1], as: health, at: "h") == ["h.x is unknown"]
        )
        #expect(contract.faults(of: ["status": "ok", "version": 1], as: health, at: "h") == ["h.version is no string"])
    }

    @Test func `the header fields of a picture match the contract`() async throws {
        let named = try Contract().headers(of: "/v1/cameras/{camera}/still.jpg")
        let cameras = FakeCameras(take: { _, _ in Samples.still(kept: true) })
        try await withAPI(.router, cameras: cameras) { api in
            let sent = Set(try await api("GET /v1/cameras/pattern/still.jpg").headers.keys)
            #expect(sent.subtracting(["content-type", "content-length", "date"]) == named)
        }
    }

    @Test func `the query parameters of a picture match the parser and the schema of the body`() async throws {
        let contract = try Contract()
        let query = try contract.query(of: "/v1/cameras/{camera}/still.jpg", "get")
        let told = #expect(throws: Problem.self) { try StillRequest(query: [("none", "1")]) }
        let known = try #require(told?.remedy.split(separator: ": ").last).dropLast().split(separator: ", ")
        #expect(Set(query.keys) == Set(known.map(String.init)))
        let fields = try contract.properties(of: "StillRequest")
        for (name, parameter) in query {
            var described = try #require(parameter["schema"] as? [String: Any])
            guard var field = fields[name], name != "fresh" else { continue }
            field["description"] = nil
            if name == "keep" { (field["default"], described["default"]) = (nil, nil) }
            #expect(NSDictionary(dictionary: field) == NSDictionary(dictionary: described), "\(name)")
        }
    }
}
