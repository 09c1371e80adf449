// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct ProblemTests {
    /// HTTP status of each code.
    private static let statuses: [String: Int] = [
        "invalid-request": 400, "unauthenticated": 401, "access-denied": 403, "camera-not-found": 404,
        "frame-not-found": 404, "method-not-allowed": 405, "request-timeout": 408, "camera-ambiguous": 409,
        "camera-busy": 409, "gap-not-allowed": 409, "configuration-conflict": 412, "too-large": 413,
        "configuration-unsupported": 422, "too-many-requests": 429, "internal": 500, "camera-denied": 503,
        "camera-restricted": 503, "device-lost": 503, "driver-stuck": 503, "no-signal": 503, "usb-bandwidth": 503,
        "deadline-exceeded": 504, "corrupt-only": 504, "spool-full": 507, "camera-fault": 503, "not-found": 404,
        "stopping": 503, "spool-unavailable": 507, "camera-off": 409,
    ]

    @Test func `every code has the HTTP status of the design`() {
        #expect(Set(ProblemCode.allCases.map(\.rawValue)) == Set(Self.statuses.keys))
        for code in ProblemCode.allCases { #expect(code.status == Self.statuses[code.rawValue], "\(code)") }
    }

    @Test func `codes have unique exit statuses and titles`() {
        let statuses = ProblemCode.allCases.map(\.exitStatus)
        #expect(Set(statuses).count == statuses.count)
        #expect(statuses.allSatisfy { (10..<64).contains($0) })
        #expect(Set(ProblemCode.allCases.map(\.title)).count == statuses.count)
    }

    @Test(arguments: ProblemCode.allCases)
    func `a problem round-trips as an RFC 9457 document`(_ code: ProblemCode) throws {
        let problem = Problem(code, "What happened.", remedy: "What to do.", retryAfter: .seconds(1), field: "a.b")
        let json = try WireFormat.encode(problem)
        #expect(try WireFormat.decode(Problem.self, from: json) == problem)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""type":"urn:tintype:problem:\#(code.rawValue)""#))
        #expect(text.contains(#""title":"\#(code.title)""#))
        #expect(text.contains(#""status":\#(code.status)"#))
        #expect(text.contains(#""retryAfterMs":1000"#))
        #expect(problem.description == "What happened. What to do.")
    }

    @Test func `unset members of a problem are omitted`() throws {
        let json = try WireFormat.encode(Problem(.internalError, "It failed.", remedy: "Try again."))
        let text = String(decoding: json, as: UTF8.self)
        #expect(!text.contains("retryAfterMs"))
        #expect(!text.contains("field"))
    }
}
