// SPDX-License-Identifier: Apache-2.0
internal import CExif
package import TintypeModel

package struct ExifOrigin: Hashable, Sendable {
    /// Nil if date, time or time zone is missing.
    package var capturedAt: Timestamp?
    package var id: FrameID?
    package var sequence: UInt32?
    package var verdict: Verdict?
    package var average: Int?
    /// Synchronisation of the clock of ``capturedAt``; nil if unknown.
    package var isClockSynchronized: Bool?
    package var isOurs: Bool

    /// Reads the first EXIF segment of a JPEG, which may be truncated; nil if none precedes its frame header.
    ///
    /// Any thread; takes about 0.1 ms.
    package init?(_ jpeg: [UInt8]) {
        guard let body = (try? ApplicationSegments(jpeg.rawSpan))?.exif.first?.body,
            let data = ExifEntries(jpeg.rawSpan.extracting(body), isCorrected: false)
        else { return nil }
        isOurs = data.text(EXIF_TAG_SOFTWARE, EXIF_IFD_0)?.hasPrefix("tintyped ") ?? false
        let (fraction, offset) = (EXIF_TAG_SUB_SEC_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_ORIGINAL)
        let date = data.text(EXIF_TAG_DATE_TIME_ORIGINAL)
        capturedAt = Self.moment(date, fraction: data.text(fraction), offset: data.text(offset))
        guard isOurs else { return }
        id = data.text(EXIF_TAG_IMAGE_UNIQUE_ID).flatMap(Self.id)
        for word in data.text(EXIF_TAG_USER_COMMENT)?.split(separator: " ") ?? [] {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "sequence": sequence = UInt32(parts[1])
            case "verdict": verdict = Verdict(rawValue: parts[1])
            case "average":
                if let count = Int(parts[1]), count > 1, StillRequest.averageRange.contains(count) { average = count }
            case "clock": isClockSynchronized = ["synchronised": true, "free": false][parts[1]]
            default: continue
            }
        }
    }

    /// Exif 2.32, 4.6.5: `2026:11:21 14:30:12`, `345678` and `+01:00`.
    static func moment(_ text: String?, fraction: String?, offset: String?) -> Timestamp? {
        guard let text, let offset, offset == "Z" || offset.utf8.count == 6 else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let date = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, date.count == 3 else { return nil }
        // Digits after the sixth are below a microsecond.
        var micros = ((fraction ?? "").filter { $0 != " " } + "000000").prefix(6)
        if !micros.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { micros = "000000" }
        return HumanTime.parse("\(date.joined(separator: "-"))T\(parts[1]).\(micros)\(offset)")
    }

    /// 32 hexadecimal digits of a UUID of version 7 (RFC 9562).
    private static func id(_ digits: String) -> FrameID? {
        guard digits.count == 32, digits.dropFirst(12).first == "7" else { return nil }
        var text = digits
        for place in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return FrameID(text)
    }
}
