// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

struct FrameFilterTests {
    /// Text of a filter and its parsed form.
    struct Case: CustomTestStringConvertible, Sendable {
        var text: String
        var filter: FrameFilter
        var testDescription: String { text }

        init(_ text: String, _ filter: FrameFilter) { (self.text, self.filter) = (text, filter) }
    }

    private static let id = FrameID(at: Timestamp(microseconds: 1_795_271_412_345_678))

    private static func time(_ text: String) -> Timestamp { Timestamp(text) ?? Timestamp(microseconds: 0) }

    static let cases = [
        Case("", .everything), Case("  ", .everything), Case("all()", .everything), Case("any()", .any([])),
        Case("camera:yard", .is(.camera("yard"))), Case("camera=front*", .is(.camera("front*"))),
        Case("tag:Alarm.2", .is(.tag("Alarm.2"))), Case("tag:\"a?b\"", .is(.tag("a?b"))),
        Case("tag : 'x'", .is(.tag("x"))), Case("verdict:intact", .is(.verdict(.intact))),
        Case("settled:yes", .is(.settled(true))), Case("settled:no", .is(.settled(false))),
        Case("pinned", .is(.pinned(true))), Case("pinned:no", .is(.pinned(false))), Case("lost", .is(.lost(true))),
        Case("lost:false", .is(.lost(false))), Case("id:\(id)", .is(.id(id))),
        Case("id:\(id.description.uppercased())", .is(.id(id))), Case("source:publish", .is(.source(.publish))),
        Case("from:2026-11-20", .is(.from(time("2026-11-20T00:00:00Z")))),
        Case("to:2026-11-21T12:00Z", .is(.to(time("2026-11-21T12:00:00Z")))),
        Case("from:\"2026-11-21 12:00:05.25+01:30\"", .is(.from(time("2026-11-21T10:30:05.25Z")))),
        Case(
            "on:2026-11-20",
            .all([.is(.from(time("2026-11-20T00:00:00Z"))), .is(.to(time("2026-11-21T00:00:00Z")))])
        ),
        Case("since:7d", .is(.since(.seconds(7 * 86_400)))), Case("since:1ms", .is(.since(.milliseconds(1)))),
        Case("bytes>100k", .is(.measure(.bytes, 102_401...Int.max))),
        Case("bytes >= 1.5M", .is(.measure(.bytes, 1_572_864...Int.max))),
        Case("bytes<1", .is(.measure(.bytes, 0...0))), Case("bytes:1k..2k", .is(.measure(.bytes, 1024...2048))),
        Case("bytes:..2k", .is(.measure(.bytes, 0...2048))), Case("bytes=5..", .is(.measure(.bytes, 5...Int.max))),
        Case("width>=1280", .is(.measure(.width, 1280...Int.max))), Case("height<720", .is(.measure(.height, 0...719))),
        Case("height<=720", .is(.measure(.height, 0...720))), Case("width:640", .is(.measure(.width, 640...640))),
        Case("pinned, lost", .all([.is(.pinned(true)), .is(.lost(true))])),
        Case("all(pinned)", .all([.is(.pinned(true))])), Case("(pinned)", .is(.pinned(true))),
        Case("not pinned", .not(.is(.pinned(true)))), Case("not(pinned)", .not(.is(.pinned(true)))),
        Case("not (pinned,lost)", .not(.all([.is(.pinned(true)), .is(.lost(true))]))),
        Case("not not lost", .not(.not(.is(.lost(true))))),
        Case(" any( tag:alarm ,not camera:yard ) ", .any([.is(.tag("alarm")), .not(.is(.camera("yard")))])),
        Case(
            "camera:yard,any(tag:a,all(tag:b,not lost)),width>10",
            .all([
                .is(.camera("yard")), .any([.is(.tag("a")), .all([.is(.tag("b")), .not(.is(.lost(true)))])]),
                .is(.measure(.width, 11...Int.max)),
            ])
        ),
    ]

    @Test(
        arguments: [
            ("camera:front", "front"), ("camera:front, tag:a", "front"), ("all(all(camera:front), pinned)", "front"),
            ("camera:*", nil), ("camera:f?", nil), ("camera:front*", nil), ("camera:f*, pinned", nil),
            ("camera:a, camera:b", nil), ("any(camera:a)", nil), ("not camera:a", nil), ("pinned", nil),
        ] as [(String, String?)]
    )
    func `only a name without wildcards is the camera of a filter`(text: String, camera: String?) throws {
        #expect(try FrameFilter(parsing: text).camera == camera)
    }

    @Test(arguments: cases)
    func `a filter and its description parse to the same conditions`(_ given: Case) throws {
        let filter = try FrameFilter(parsing: given.text)
        #expect(filter == given.filter)
        #expect(try FrameFilter(parsing: filter.description) == filter)
        let quoted = try WireFormat.encode([given.text])
        #expect(try WireFormat.decode([FrameFilter].self, from: quoted) == [filter])
        #expect(try WireFormat.decode([String].self, from: WireFormat.encode([filter])) == [filter.description])
    }

    private static let deep =
        text(30, of: "all(", then: "camera:\(text(64, of: "x", then: ""))") + text(30, of: ")", then: "")

    private static func text(_ count: Int, of part: String = "not ", then end: String = "lost") -> String {
        String(repeating: part, count: count) + end
    }

    @Test(arguments: [
        (text(FrameFilter.longestText - 3, of: " "), FrameFilter.longestText + 1, "may have 65536 characters"),
        (text(32), 129, "deeper than 32 levels"), (text(32, of: "("), 33, "deeper than 32 levels"),
        ("pinned, " + text(32), 137, "deeper than 32 levels"),
        (text(31, then: "on:2026-11-20"), 125, "deeper than 32 levels"),
        (text(256, of: "lost,"), 1281, "more than 256 conditions"),
        (text(256, of: "all(),"), 1537, "more than 256 conditions"),
        (text(256, of: "any(),", then: "any()"), 1540, "more than 256 conditions"),
        (text(128, of: "on:2026-11-20,"), 1793, "more than 256 conditions"),
        ("color:red", 1, "“color” is not a field"), ("camera:yard colour:red", 13, "“c” is out of place"),
        ("camera:yard, colour:red", 14, "“colour” is not a field"), ("Camera:yard", 1, "“Camera” is not a field"),
        ("camera", 7, "the end of the text follows “camera”"), ("camera yard", 8, "“y” follows “camera”"),
        ("camera:", 8, "the end of the text is where the value of camera must be"),
        ("camera:,lost", 8, "“,” is where the value"), ("camera:Yard", 8, "“Yard” is no value of camera"),
        ("tag:a+b", 5, "“a+b” is no value of tag"), ("tag:ä", 5, "“ä” is no value of tag"),
        ("verdict:good", 9, "“good” is no value of verdict"),
        ("settled:maybe", 9, "“maybe” is no value of settled"), ("pinned:2", 8, "“2” is no value of pinned"),
        ("id:7", 4, "“7” is no value of id"),
        ("source:mail", 8, "“mail” is no value of source"), ("from:yesterday", 6, "“yesterday” is no value of from"),
        ("to:2026-02-30", 4, "“2026-02-30” is no value of to"), ("on:2026-11-20T12:00Z", 4, "is no value of on"),
        ("since:7", 7, "“7” is no value of since"), ("since:0s", 7, "“0s” is no value of since"),
        ("since:3651d", 7, "is no value of since"),
        ("bytes>lots", 7, "“lots” is no value of bytes"), ("bytes<0", 7, "“0” is no value of bytes"),
        ("width>1k", 7, "is no value of width"),
        ("bytes:2k..1k", 7, "is no value of bytes"), ("bytes:..", 7, "is no value of bytes"),
        ("bytes>1..2", 7, "is no value of bytes"),
        ("width:-1", 7, "is no value of width"), ("bytes>1000000000T", 7, "is no value of bytes"),
        ("camera>yard", 7, "“>” cannot be said of camera"), ("pinned<=yes", 7, "“<=” cannot be said of pinned"),
        ("any tag:a", 5, "“t” follows “any”"), ("any", 4, "the end of the text follows “any”"),
        ("any(tag:a", 10, "the end of the text is where a comma or a closing parenthesis must be"),
        ("any(tag:a]", 9, "“a]” is no value of tag"), ("any(tag:a tag:b)", 11, "“t” is where a comma"),
        ("any(,)", 5, "“,” is where a condition must be"), ("tag:a)", 6, "“)” is out of place"),
        ("tag:a,", 7, "the end of the text is where a condition"),
        ("not", 4, "the end of the text is where a condition"),
        ("not,", 4, "“,” is where a condition"), ("()", 2, "“)” is where a condition"),
        ("tag:\"a", 5, "the quotation mark is not closed"), ("tag:a 'b'", 7, "“'” is out of place"),
        ("tag:\"a, pinned\"", 5, "“a, pinned” is no value of tag"),
        ("; DROP TABLE frame", 1, "“;” is where a condition"),
        ("camera:x' OR 1=1 --", 9, "“'” is out of place"), ("🙂", 1, "“🙂” is where a condition"),
        ("lost, 🙂", 7, "“🙂” is where a condition"),
    ])
    func `a syntax error has its position and a reason`(_ text: String, _ character: Int, _ what: String) throws {
        let problem = try #require(expectInvalid("where") { try FrameFilter(parsing: text) })
        #expect(problem.detail.hasPrefix("The field where is wrong at character \(character): "), "\(problem)")
        #expect(problem.detail.contains(what), "\(problem)")
        let other = expectInvalid("retention.0.where") { try FrameFilter(parsing: text, field: "retention.0.where") }
        #expect(other?.detail.hasPrefix("The field retention.0.where is wrong") == true)
    }

    @Test(arguments: [
        ("camra:yard", "Did you mean camera?"), ("verdict:Intact", "Did you mean intact?"),
        ("verdict:good", "Use one of intact, sound, tolerated, damaged."), ("source:publsih", "Did you mean publish?"),
    ])
    func `a misspelled field or word gets a suggestion`(_ text: String, _ remedy: String) {
        #expect(expectInvalid("where") { try FrameFilter(parsing: text) }?.remedy == remedy)
    }

    @Test(arguments: [
        text(FrameFilter.longestText - 4, of: " "), text(31), text(31, of: "(") + text(31, of: ")", then: ""),
        "pinned, " + text(31), text(30, then: "on:2026-11-20"), text(255, of: "lost,"), text(255, of: "all(),"),
        text(127, of: "on:2026-11-20,", then: "on:2026-11-20"), "any(" + text(255, of: "\(deep),", then: "\(deep))"),
    ])
    func `a filter at its limits parses back from its description`(_ text: String) throws {
        let filter = try FrameFilter(parsing: text)
        #expect(try FrameFilter(parsing: filter.description) == filter)
    }

    @Test func `random text yields a filter or a positioned error`() throws {
        let parts = [
            "any(", "all(", "not ", "(", ")", ",", "camera:", "tag:a", "pinned", "bytes>", "1k", "..", "\"", "'", " ",
            "é", "width<=", "7", "since:", "on:2026-11-20", ":", "=", "lost", "_", "\u{0}",
        ]
        var random = SeededGenerator(seed: 9)
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in random.pick(parts) }.joined()
            do throws(Problem) {
                let filter = try FrameFilter(parsing: text)
                #expect(try FrameFilter(parsing: filter.description) == filter)
            } catch {
                let match = try #require(error.detail.firstMatch(of: /at character (\d+):/), "\(text): \(error)")
                #expect((1...text.count + 1).contains(Int(match.1) ?? 0), "\(text): \(error)")
            }
        }
    }
}
