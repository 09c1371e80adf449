// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

/// What the contract has and this version cannot do.
struct NotYetTests {
    @Test(arguments: [
        (StillRequest(settle: .always), "settle"), (StillRequest(settle: .never), "settle"),
    ])
    func `a still that cannot be taken as asked is refused by the name of the field`(
        _ request: StillRequest,
        _ field: String
    ) {
        let problem = #expect(throws: Problem.self) { try request.refuseWhatIsNotThereYet() }
        #expect(problem?.code == .configurationUnsupported)
        #expect(problem?.field == field)
    }

    @Test func `everything else is taken`() throws {
        try StillRequest().refuseWhatIsNotThereYet()
        try StillRequest(
            fresh: .latest,
            burst: .span(from: .zero, to: .seconds(1), nth: 2),
            rendering: StillRendering(width: 320, turn: .quarter),
            tags: ["door"]
        ).refuseWhatIsNotThereYet()
    }
}
