// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TintypeAPI

struct AuditTests {
    @Test(
        arguments: [
            ("POST /v1/spool/retention", nil, true), ("POST /v1/spool/retention", #"{"dryRun": false}"#, true),
            ("POST /v1/spool/retention", #"{"dryRun": true}"#, false),
            ("POST /v1/spool/retention", #"{"dryRun": true, "confirm": true}"#, false),
            ("POST /v1/cameras/pattern/stop", nil, true), ("GET /v1/spool", nil, false),
        ] as [(String, String?, Bool)]
    )
    func `a request that changes something is logged, a dry run is not`(
        line: String,
        body: String?,
        isLogged: Bool
    ) async throws {
        let log = MessageLog()
        let reply = try await ask(ControlResponder(.fakes(), logger: log.logger), line, [:], body)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(log.loud.count { $0.text == "a client made a change" } == (isLogged ? 1 : 0))
    }
}
