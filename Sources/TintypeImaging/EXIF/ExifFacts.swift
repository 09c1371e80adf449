// SPDX-License-Identifier: Apache-2.0
internal import CExif
package import TintypeModel

/// What a picture's EXIF says of it.
package struct ExifFacts: Hashable, Sendable {
    /// The picture's id.
    package var id: FrameID
    /// When its exposure began.
    package var capturedAt: Timestamp
    /// Its size.
    package var size: FrameSize
    /// The driver's number of the frame.
    package var sequence: UInt32
    /// How whole the frame is.
    package var verdict: Verdict
    /// How many frames were averaged for it.
    package var average: Int
    /// The camera that it is from; nil if that is not known.
    package var camera: CameraIdentity?
    /// What the camera said of itself; nil if it said nothing.
    package var reading: CameraReading?
    /// Where the camera stands; nil if that is not known.
    package var position: GeoPosition?
    /// Whether the clock was synchronised that gave it its time; nil if that is not known.
    package var isClockSynchronized: Bool?
    /// What the camera said of itself in the picture that this one was made of; nil where it said nothing, or the picture
    /// still has it.
    package var own: CameraExif?
    /// Whether the pixels lie as the camera delivered them, so that what it says of their orientation holds.
    package var hasOwnOrientation: Bool

    /// Facts of these parts.
    package init(
        id: FrameID,
        capturedAt: Timestamp,
        size: FrameSize,
        sequence: UInt32,
        verdict: Verdict,
        average: Int = 1,
        camera: CameraIdentity? = nil,
        reading: CameraReading? = nil,
        position: GeoPosition? = nil,
        isClockSynchronized: Bool? = nil,
        own: CameraExif? = nil,
        hasOwnOrientation: Bool = true
    ) {
        self.id = id
        self.capturedAt = capturedAt
        self.size = size
        self.sequence = sequence
        self.verdict = verdict
        self.average = average
        self.camera = camera
        self.reading = reading
        self.position = position
        self.isClockSynchronized = isClockSynchronized
        self.own = own
        self.hasOwnOrientation = hasOwnOrientation
    }

    /// Who made the camera, as far as USB tells it.
    var make: String? { camera?.manufacturer.flatMap(Self.ascii) }

    /// What the camera calls itself: to USB, else to the driver interface (`card` of `v4l2_capability`).
    var model: String? { (camera?.product).flatMap(Self.ascii) ?? (camera?.card).flatMap(Self.ascii) }

    var serialNumber: String? { (camera?.serial).flatMap(Self.ascii) }

    var uniqueID: String { id.description.filter { $0 != "-" } }

    /// What programs find in the comment: words and values, as in `sequence=123 verdict=intact clock=free`.
    var comment: String {
        var words = ["sequence=\(sequence)", "verdict=\(verdict.rawValue)"]
        if average > 1 { words.append("average=\(average)") }
        if let gain = reading?.gain { words.append("gain=\(gain)") }
        if let isClockSynchronized { words.append("clock=\(isClockSynchronized ? "synchronised" : "free")") }
        return words.joined(separator: " ")
    }

    /// The sensitivity as EXIF has room for it: the ISO number, or the gain as the driver gives it.
    var sensitivity: UInt16? {
        let number = (reading?.isoSensitivity).map(Int64.init) ?? reading?.gain ?? 0
        // 65535 stands for this and more (Exif 2.3, table 6).
        return number > 0 ? UInt16(min(number, 65535)) : nil
    }

    /// A text without what EXIF's ASCII does not have; nil if nothing is left of it.
    static func ascii(_ text: String) -> String? {
        let printable = text.unicodeScalars.map { (32..<127).contains($0.value) ? Character($0) : "?" }
        let words = String(printable).split(separator: " ", omittingEmptySubsequences: true)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

/// What a camera says of itself in the EXIF data of its own picture, read by libexif.
package struct CameraExif: Hashable, Sendable {
    /// Who made it; printable ASCII.
    var make: String?
    /// What it is called; printable ASCII.
    var model: String?
    /// Which way round its pixels lie, 1 to 8 (Exif 2.3, 4.6.4, "Orientation"); nil if it does not say.
    package var orientation: UInt16?

    /// Reads the EXIF data of a JPEG picture, up to its frame header; nil where it has none, or nothing that is readable.
    ///
    /// Any thread; never blocks. Reads nothing outside `jpeg`.
    package init?(in jpeg: RawSpan) {
        guard let segment = ApplicationSegments(jpeg)?.exif.first else { return nil }
        self.init(jpeg.extracting(segment.body))
    }

    /// Reads the data of an APP1 segment, its identifier included.
    init?(_ bytes: RawSpan) {
        guard let data = ExifEntries(bytes, isCorrected: true) else { return nil }
        make = data.text(EXIF_TAG_MAKE, EXIF_IFD_0)
        model = data.text(EXIF_TAG_MODEL, EXIF_IFD_0)
        orientation = data.short(EXIF_TAG_ORIENTATION, EXIF_IFD_0).flatMap { (1...8).contains($0) ? $0 : nil }
    }
}
