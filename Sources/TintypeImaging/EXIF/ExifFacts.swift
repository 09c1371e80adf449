// SPDX-License-Identifier: Apache-2.0
internal import CExif
package import TintypeModel

package struct ExifFacts: Sendable {
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
package struct CameraExif: Sendable {
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

extension ExifFacts {
    /// The APP1 segment, with marker and length; nil if out of memory.
    private func segment(besides own: CameraExif?) -> [UInt8]? {
        guard let builder = ExifEntries() else { return nil }
        addDevice(to: builder, own)
        addMoment(to: builder)
        addExposure(to: builder)
        addPicture(to: builder)
        addPosition(to: builder)
        guard let data = builder.bytes() else { return nil }
        let length = data.count + 2
        guard length <= 0xFFFF else { return nil }
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + data
    }

    private func addDevice(to builder: borrowing ExifEntries, _ own: CameraExif?) {
        if let make = make ?? own?.make { builder.add(make, as: EXIF_TAG_MAKE, to: EXIF_IFD_0) }
        if let model = model ?? own?.model { builder.add(model, as: EXIF_TAG_MODEL, to: EXIF_IFD_0) }
        if let serialNumber { builder.add(serialNumber, as: EXIF_TAG_BODY_SERIAL_NUMBER) }
        builder.add("tintyped \(TintypeVersion.current)", as: EXIF_TAG_SOFTWARE, to: EXIF_IFD_0)
        let orientation = hasOwnOrientation ? own?.orientation ?? 1 : 1
        builder.add(short: orientation, as: EXIF_TAG_ORIENTATION, to: EXIF_IFD_0)
    }

    /// Entries that differ from picture to picture: time, id and comment.
    private func addMoment(to builder: borrowing ExifEntries) {
        let time = LocalTime(capturedAt)
        // glibc's `%Y` alone gives a year before 1000 fewer digits than EXIF requires.
        let date = time.text("%04Y:%m:%d %H:%M:%S")
        builder.add(date, as: EXIF_TAG_DATE_TIME, to: EXIF_IFD_0)
        for tag in [EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_TAG_DATE_TIME_DIGITIZED] { builder.add(date, as: tag) }
        let fraction = Timestamp.pad(capturedAt.utc.microsecond, 6)
        for tag in [EXIF_TAG_SUB_SEC_TIME, EXIF_TAG_SUB_SEC_TIME_ORIGINAL, EXIF_TAG_SUB_SEC_TIME_DIGITIZED] {
            builder.add(fraction, as: tag)
        }
        for tag in [EXIF_TAG_OFFSET_TIME, EXIF_TAG_OFFSET_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_DIGITIZED] {
            builder.add(time.offsetText, as: tag)
        }
        builder.add(uniqueID, as: EXIF_TAG_IMAGE_UNIQUE_ID)
        builder.add(bytes: ExifEntries.comment(comment), as: EXIF_TAG_USER_COMMENT)
    }

    private func addExposure(to builder: borrowing ExifEntries) {
        if let time = reading?.time, time > .zero {
            let units = UInt32(clamping: time.nanosecondCount / 100_000)
            builder.add([(max(1, units), 10_000)], as: EXIF_TAG_EXPOSURE_TIME)
        }
        if let sensitivity {
            builder.add(short: sensitivity, as: EXIF_TAG_ISO_SPEED_RATINGS)
            // 0 is "unknown": a gain's unit is defined by the driver.
            builder.add(short: 0, as: EXIF_TAG_SENSITIVITY_TYPE)
        }
    }

    private func addPicture(to builder: borrowing ExifEntries) {
        // Mandatory tags (Exif 2.3, 4.6.8). JFIF stores no meaningful resolution, and its colours are sRGB.
        builder.add([(72, 1)], as: EXIF_TAG_X_RESOLUTION, to: EXIF_IFD_0)
        builder.add([(72, 1)], as: EXIF_TAG_Y_RESOLUTION, to: EXIF_IFD_0)
        builder.add(short: 2, as: EXIF_TAG_RESOLUTION_UNIT, to: EXIF_IFD_0)
        builder.add(short: 1, as: EXIF_TAG_YCBCR_POSITIONING, to: EXIF_IFD_0)
        builder.add(bytes: Array("0231".utf8), as: EXIF_TAG_EXIF_VERSION)
        builder.add(bytes: Array("0100".utf8), as: EXIF_TAG_FLASH_PIX_VERSION)
        builder.add(bytes: [1, 2, 3, 0], as: EXIF_TAG_COMPONENTS_CONFIGURATION)
        builder.add(short: 1, as: EXIF_TAG_COLOR_SPACE)
        builder.add(long: UInt32(clamping: size.width), as: EXIF_TAG_PIXEL_X_DIMENSION)
        builder.add(long: UInt32(clamping: size.height), as: EXIF_TAG_PIXEL_Y_DIMENSION)
    }

    private func addPosition(to builder: borrowing ExifEntries) {
        guard let position else { return }
        let gps = EXIF_IFD_GPS
        func tag(_ number: Int32) -> ExifTag { ExifTag(rawValue: UInt32(number)) }
        builder.add(bytes: [2, 3, 0, 0], as: tag(EXIF_TAG_GPS_VERSION_ID), to: gps, format: EXIF_FORMAT_BYTE)
        builder.add(position.latitude < 0 ? "S" : "N", as: tag(EXIF_TAG_GPS_LATITUDE_REF), to: gps)
        builder.add(Self.angle(position.latitude), as: tag(EXIF_TAG_GPS_LATITUDE), to: gps)
        builder.add(position.longitude < 0 ? "W" : "E", as: tag(EXIF_TAG_GPS_LONGITUDE_REF), to: gps)
        builder.add(Self.angle(position.longitude), as: tag(EXIF_TAG_GPS_LONGITUDE), to: gps)
        if let altitude = position.altitude {
            let (side, height) = (UInt8(altitude < 0 ? 1 : 0), UInt32((abs(altitude) * 1000).rounded()))
            builder.add(bytes: [side], as: tag(EXIF_TAG_GPS_ALTITUDE_REF), to: gps, format: EXIF_FORMAT_BYTE)
            builder.add([(height, 1000)], as: tag(EXIF_TAG_GPS_ALTITUDE), to: gps)
        }
        builder.add("WGS-84", as: tag(EXIF_TAG_GPS_MAP_DATUM), to: gps)
        // Configured by the user, not measured for the picture.
        builder.add(bytes: ExifEntries.comment("MANUAL"), as: tag(EXIF_TAG_GPS_PROCESSING_METHOD), to: gps)
    }

    /// Degrees, minutes and seconds with four decimals (3 mm on the ground).
    static func angle(_ degrees: Double) -> [(UInt32, UInt32)] {
        let perSecond = 10_000
        let parts = Int((abs(degrees) * 3600 * Double(perSecond)).rounded())
        let (minutes, seconds) = parts.quotientAndRemainder(dividingBy: 60 * perSecond)
        return [
            (UInt32(minutes / 60), 1), (UInt32(minutes % 60), 1),
            (UInt32(seconds), UInt32(perSecond)),
        ]
    }

    /// Writes these facts into a JPEG as its EXIF data, without recompressing.
    ///
    /// The APP1 segment is placed after SOI, or after the JFIF APP0 segment. Existing EXIF data is removed; its make
    /// and model, or those of ``own``, are kept if ours are unknown; its orientation if the pixels are as the camera
    /// delivered them. The picture is returned unchanged if it cannot be parsed up to its frame header, if it is
    /// damaged (it is evidence), or if out of memory.
    ///
    /// Any thread. Less than 0.1 ms, plus a copy of the picture if the array is shared or has no spare capacity.
    package func write(into jpeg: consuming [UInt8]) -> [UInt8] {
        var jpeg = jpeg
        guard verdict != .damaged, let header = try? ApplicationSegments(jpeg.rawSpan) else { return jpeg }
        let own = own ?? header.exif.first.flatMap { CameraExif(jpeg.rawSpan.extracting($0.body)) }
        guard let segment = segment(besides: own) else { return jpeg }
        for old in header.exif.reversed() { jpeg.removeSubrange(old.whole) }
        jpeg.insert(contentsOf: segment, at: header.insertion)
        return jpeg
    }

    /// Spare capacity for a picture's array, so that inserting EXIF does not reallocate it.
    package static let usualRoom = 2048
}

struct ApplicationSegments {
    /// `whole` from marker to end, `body` without marker and length.
    private(set) var exif: [(whole: Range<Int>, body: Range<Int>)] = []
    /// After SOI and the JFIF segments.
    private(set) var insertion = 2

    /// Walks up to the frame header; throws if that is not reached.
    init(_ bytes: RawSpan) throws(ImagingError) {
        var walk = try JPEGWalk(bytes)
        while walk.frame == nil {
            let segment = try walk.next()
            let whole = segment.offset..<walk.position
            if segment.marker == .application0, insertion == segment.offset,
                segment.begins(with: "JFIF\0") || segment.begins(with: "JFXX\0")
            {
                insertion = whole.upperBound
            } else if segment.marker == .application1, segment.begins(with: "Exif\0") {
                exif.append((whole, whole.dropFirst(4)))
            }
        }
    }
}
