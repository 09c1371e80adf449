// SPDX-License-Identifier: Apache-2.0
internal import CExif
package import TintypeModel

package struct ExifFacts: Hashable, Sendable {
    package var id: FrameID
    package var capturedAt: Timestamp
    package var size: FrameSize
    package var sequence: UInt32
    package var verdict: Verdict
    package var average = 1
    package var camera: CameraIdentity?
    package var reading: CameraReading?
    package var position: GeoPosition?
    /// Synchronisation of the clock of ``capturedAt``; nil if unknown.
    package var isClockSynchronized: Bool?
    /// Nil if the camera wrote none, or if it is still in the picture.
    package var own: CameraExif?
    /// The pixels are as the camera delivered them, so that its own orientation tag applies.
    package var hasOwnOrientation = true

    package init(id: FrameID, capturedAt: Timestamp, size: FrameSize, sequence: UInt32, verdict: Verdict) {
        (self.id, self.capturedAt, self.size) = (id, capturedAt, size)
        (self.sequence, self.verdict) = (sequence, verdict)
    }

    var make: String? { camera?.manufacturer.flatMap(Self.ascii) }
    /// Product name from USB, else `card` of `v4l2_capability`.
    var model: String? { (camera?.product).flatMap(Self.ascii) ?? (camera?.card).flatMap(Self.ascii) }
    var serialNumber: String? { (camera?.serial).flatMap(Self.ascii) }
    var uniqueID: String { id.description.filter { $0 != "-" } }

    /// `key=value` words: `sequence=123 verdict=intact clock=free`.
    var comment: String {
        var words = ["sequence=\(sequence)", "verdict=\(verdict.rawValue)"]
        if average > 1 { words.append("average=\(average)") }
        if let gain = reading?.gain { words.append("gain=\(gain)") }
        if let isClockSynchronized { words.append("clock=\(isClockSynchronized ? "synchronised" : "free")") }
        return words.joined(separator: " ")
    }

    /// ISO speed, or the gain in the driver's unit, limited to 16 bits.
    var sensitivity: UInt16? {
        let number = (reading?.isoSensitivity).map(Int64.init) ?? reading?.gain ?? 0
        // 65535 means "this or more" (Exif 2.3, table 6).
        return number > 0 ? UInt16(min(number, 65535)) : nil
    }

    /// Replaces non-printable and non-ASCII characters by `?` and trims spaces; nil if nothing is left.
    static func ascii(_ text: String) -> String? {
        let printable = text.unicodeScalars.map { (32..<127).contains($0.value) ? Character($0) : "?" }
        let words = String(printable).split(separator: " ", omittingEmptySubsequences: true)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

/// EXIF data a camera wrote into its own picture, read with libexif.
package struct CameraExif: Hashable, Sendable {
    /// Printable ASCII.
    var make: String?
    /// Printable ASCII.
    var model: String?
    /// Orientation tag, 1 to 8 (Exif 2.3, 4.6.4).
    package var orientation: UInt16?

    /// Reads a JPEG up to its frame header, nothing outside it; nil if absent or unreadable, never blocks.
    package init?(in jpeg: RawSpan) {
        guard let segment = (try? ApplicationSegments(jpeg))?.exif.first else { return nil }
        self.init(jpeg.extracting(segment.body))
    }

    /// The payload of an APP1 segment including its identifier.
    init?(_ bytes: RawSpan) {
        guard let data = ExifEntries(bytes, isCorrected: true) else { return nil }
        make = data.text(EXIF_TAG_MAKE, EXIF_IFD_0)
        model = data.text(EXIF_TAG_MODEL, EXIF_IFD_0)
        orientation = data.short(EXIF_TAG_ORIENTATION, EXIF_IFD_0).flatMap { (1...8).contains($0) ? $0 : nil }
    }
}
