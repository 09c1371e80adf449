// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct OptionNameTests {
    @Test(arguments: [
        (
            "Allow more time (deadlineMs) or an older picture (fresh).",
            "Allow more time (--deadline) or an older picture (--fresh)."
        ),
        ("The field fresh.maxAgeMs is not a number.", "--max-age is not a number."),
        ("The field everyMs needs count beside it.", "--every needs --count beside it."),
        ("The field nth cannot be combined with count.", "--nth cannot be combined with --count."),
        ("The field reject is not a list.", "--reject is not a list."),
        ("The field where is wrong at character 3.", "--where is wrong at character 3."),
        ("Leave size out, or ask later.", "Leave --size out, or ask later."),
        ("Ask for crop 16x16+0+0, or leave lossless out.", "Ask for --crop 16x16+0+0, or leave --lossless out."),
        ("Take the picture with integrity tolerant.", "Take the picture with --integrity tolerant."),
        ("Leave it out.", "Leave it out."),
        ("The field tags is not a list.", "--tag is not a list."),
        ("is not later than fromMs.", "is not later than --from."),
        ("Remove some (removeTags).", "Remove some (--remove)."),
        (
            "Allow pictures that are not settled (settle auto or never).",
            "Allow pictures that are not settled (--settle auto or never)."
        ),
        ("The field profile is wrong (the name).", "The field profile is wrong (the name)."),
        ("Plug it in again.", "Plug it in again."),
    ])
    func `a sentence about a field names the option`(_ sentence: String, _ told: String) {
        #expect(OptionName.replacingFields(in: sentence) == told)
    }

    @Test func `fields of durations have an option`() {
        for name in StillRequest.fields.map(\.name) where name.hasSuffix("Ms") {
            #expect(OptionName.replacingFields(in: name).hasPrefix("--"), "\(name)")
        }
    }

    @Test func `a printed problem names options instead of fields`() throws {
        let problem = Problem(.deadlineExceeded, "No picture.", remedy: "Allow more time (deadlineMs).")
        #expect(try #require(FailureReport(problem)).remedy == "Allow more time (--deadline).")
    }
}
