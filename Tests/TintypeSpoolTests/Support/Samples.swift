// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeImaging

@testable internal import TintypeModel

/// A 16x8 greyscale picture made by libjpeg, so that no test depends on our encoder.
let picture: [UInt8] = [UInt8](
    Data(
        base64Encoded: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC
            0oMCUoKSj/wAALCAAIABABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIh
            MUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhI
            WGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/ACiv
            /9k=
            """.filter { !$0.isWhitespace }
    ) ?? Data()
)

/// The moment of the example name in docs/reference/spool.md.
let noon = Timestamp(microseconds: 1_795_271_412_345_678)

/// Returns a still of ``picture``, captured `number` seconds after ``noon``.
func still(
    _ number: Int = 0,
    camera: String = "door",
    picture bytes: [UInt8] = picture,
    tags: [String]? = nil,
    verdict: Verdict? = nil
) -> Still {
    let time = Timestamp(microseconds: noon.microseconds + Int64(number) * 1_000_000)
    return Still(
        record: StillRecord(
            id: FrameID(at: time),
            camera: camera,
            bytes: bytes.count,
            width: 16,
            height: 8,
            sequence: UInt32(truncatingIfNeeded: 1234 + number),
            capturedAt: time,
            timestampSource: .startOfExposure,
            uncertaintyMs: Milliseconds(.microseconds(1500)),
            verdict: verdict,
            tags: tags
        ),
        picture: bytes
    )
}

/// Returns the EXIF data that tintyped writes into a picture of this time.
func facts(
    _ time: Timestamp,
    id: FrameID? = nil,
    size: FrameSize = FrameSize(width: 16, height: 8),
    verdict: Verdict = .intact,
    average: Int = 1
) -> ExifFacts {
    let id = id ?? FrameID(at: time)
    var facts = ExifFacts(id: id, capturedAt: time, size: size, sequence: 77, verdict: verdict)
    facts.average = average
    return facts
}

/// Returns the name in a spool of the picture of ``still(_:camera:picture:tags:verdict:)`` with a number up to 7.
func storedName(_ number: Int = 0, camera: String = "door") -> String {
    "\(camera)/2026/11/21/1430\(12 + number).345678Z-00000\(1234 + number).jpg"
}

/// SQL expression for the id of a frame as text.
let idText = """
    lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) || '-'
        || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21))
    """

extension FrameID {
    /// SQL literal of the id.
    var sql: String { "x'\(description.replacing("-", with: ""))'" }
}
