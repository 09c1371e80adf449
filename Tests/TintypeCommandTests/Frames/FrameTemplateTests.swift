// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct FrameTemplateTests {
    @Test(arguments: [
        ("{id}", "\(Sample.frame.id)\n"), ("{camera} {width}x{height}", "front 1280x720\n"),
        (#"{path}\0"#, "/spool/front/a.jpg\0"), (#"{bytes}\t{tags}\n"#, "4\tdoor\n"),
        ("{{{camera}}}", "{front}\n"), (#"a\\n"#, "a\\n\n"), ("", "\n"), ("{settled}|{verdict}|{average}", "||\n"),
        ("{pinned} {lost} {source} {spool}", "false false request default\n"), ("ä{sequence}€", "ä7€\n"),
    ])
    func `a template expands fields, braces and escapes`(template: String, line: String) throws {
        #expect(try FrameTemplate(template).text(Sample.frame) == line)
    }

    @Test(arguments: [
        ("{", "no closing brace"), ("{id", "no closing brace"), ("id}", "closes nothing"), ("{ID}", "no field “ID”"),
        ("{}", "no field “”"), (#"a\x"#, "A backslash"), ("a\\", "A backslash"),
    ])
    func `an invalid template is refused with its fault`(template: String, sentence: String) {
        let fault = #expect(throws: ValidationError.self) { try FrameTemplate(template) }
        #expect(fault?.message.contains(sentence) == true, "\(fault?.message ?? "")")
    }

    @Test func `every JSON field of a record is a template field of the same value`() throws {
        var frame = Sample.frame
        frame.still.uncertaintyMs = Milliseconds(.milliseconds(1.5))
        frame.still.settled = true
        frame.still.verdict = .tolerated
        frame.still.faults = [.truncated, .size]
        frame.still.appearance = [.black]
        frame.still.average = 4
        frame.still.gapMs = Milliseconds(.seconds(2))
        (frame.still.kind, frame.still.until, frame.still.pictures) = (.film, frame.storedAt, 9)
        frame.still.durationMs = Milliseconds(.seconds(3))
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(try WireFormat.encode(frame))) as? [String: Any]
        )
        #expect(Set(object.keys) == Set(FrameRecord.fields.map(\.name)))
        for (name, value) in object {
            let text = try FrameTemplate("{\(name)}").text(frame).dropLast()
            switch value {
            case let list as [String]: #expect(text == list.joined(separator: ","), "\(name)")
            case let word as String: #expect(text == word, "\(name)")
            case let number as NSNumber:
                let isTruth = ["pinned", "lost", "settled"].contains(name)
                #expect(
                    isTruth ? Bool(String(text)) == number.boolValue : Double(text) == number.doubleValue,
                    "\(name)"
                )
            default: Issue.record("\(name) is \(value)")
            }
        }
    }
}
