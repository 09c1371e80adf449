// SPDX-License-Identifier: Apache-2.0
internal import CExif
internal import TintypeModel

extension ExifFacts {
    /// The APP1 segment, with marker and length; nil if out of memory.
    func segment(besides own: CameraExif?) -> [UInt8]? {
        guard let builder = ExifEntries() else { return nil }
        addDevice(to: builder, own)
        for text in passing {
            builder.add(bytes: text.bytes, as: text.tag, to: text.directory, format: text.format)
        }
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
        if let serialNumber { builder.add(serialNumber, as: EXIF_TAG_BODY_SERIAL_NUMBER, to: EXIF_IFD_EXIF) }
        builder.add("tintyped \(TintypeVersion.current)", as: EXIF_TAG_SOFTWARE, to: EXIF_IFD_0)
        let orientation = hasOwnOrientation ? own?.orientation ?? 1 : 1
        builder.add(short: orientation, as: EXIF_TAG_ORIENTATION, to: EXIF_IFD_0)
    }

    struct Text {
        let tag: ExifTag
        var directory = EXIF_IFD_EXIF
        /// Includes the NUL terminator or the character code.
        let bytes: [UInt8]
        let format: ExifFormat
    }

    /// Entries that differ from picture to picture: time, id and comment.
    var passing: [Text] {
        func text(_ text: String, _ tag: ExifTag, _ directory: ExifIfd = EXIF_IFD_EXIF) -> Text {
            Text(tag: tag, directory: directory, bytes: Array(text.utf8) + [0], format: EXIF_FORMAT_ASCII)
        }
        let time = LocalTime(capturedAt)
        // glibc's `%Y` alone gives a year before 1000 fewer digits than EXIF requires.
        let date = time.text("%04Y:%m:%d %H:%M:%S")
        let (fraction, offset) = (Timestamp.pad(capturedAt.utc.microsecond, 6), time.offsetText)
        return [
            text(date, EXIF_TAG_DATE_TIME, EXIF_IFD_0), text(date, EXIF_TAG_DATE_TIME_ORIGINAL),
            text(date, EXIF_TAG_DATE_TIME_DIGITIZED),
            text(fraction, EXIF_TAG_SUB_SEC_TIME), text(fraction, EXIF_TAG_SUB_SEC_TIME_ORIGINAL),
            text(fraction, EXIF_TAG_SUB_SEC_TIME_DIGITIZED),
            text(offset, EXIF_TAG_OFFSET_TIME), text(offset, EXIF_TAG_OFFSET_TIME_ORIGINAL),
            text(offset, EXIF_TAG_OFFSET_TIME_DIGITIZED),
            text(uniqueID, EXIF_TAG_IMAGE_UNIQUE_ID),
            Text(tag: EXIF_TAG_USER_COMMENT, bytes: ExifEntries.comment(comment), format: EXIF_FORMAT_UNDEFINED),
        ]
    }

    private static let anyID = FrameID(at: Timestamp(microseconds: 0))

    /// Without ``passing`` and the time of the reading, which is not written.
    var lasting: ExifFacts {
        var facts = self
        (facts.id, facts.capturedAt, facts.sequence) = (Self.anyID, Timestamp(microseconds: 0), 0)
        facts.reading?.readAt = MonotonicTime(nanoseconds: 0)
        return facts
    }

    private func addExposure(to builder: borrowing ExifEntries) {
        if let time = reading?.time, time > .zero {
            let units = UInt32(clamping: time.nanosecondCount / 100_000)
            builder.add([ExifFraction(max(1, units), 10_000)], as: EXIF_TAG_EXPOSURE_TIME, to: EXIF_IFD_EXIF)
        }
        if let sensitivity {
            builder.add(short: sensitivity, as: EXIF_TAG_ISO_SPEED_RATINGS, to: EXIF_IFD_EXIF)
            // 0 is "unknown": a gain's unit is defined by the driver.
            builder.add(short: 0, as: EXIF_TAG_SENSITIVITY_TYPE, to: EXIF_IFD_EXIF)
        }
    }

    private func addPicture(to builder: borrowing ExifEntries) {
        // Mandatory tags (Exif 2.3, 4.6.8). JFIF stores no meaningful resolution, and its colours are sRGB.
        builder.add([ExifFraction(72, 1)], as: EXIF_TAG_X_RESOLUTION, to: EXIF_IFD_0)
        builder.add([ExifFraction(72, 1)], as: EXIF_TAG_Y_RESOLUTION, to: EXIF_IFD_0)
        builder.add(short: 2, as: EXIF_TAG_RESOLUTION_UNIT, to: EXIF_IFD_0)
        builder.add(short: 1, as: EXIF_TAG_YCBCR_POSITIONING, to: EXIF_IFD_0)
        builder.add(bytes: Array("0231".utf8), as: EXIF_TAG_EXIF_VERSION, to: EXIF_IFD_EXIF)
        builder.add(bytes: Array("0100".utf8), as: EXIF_TAG_FLASH_PIX_VERSION, to: EXIF_IFD_EXIF)
        builder.add(bytes: [1, 2, 3, 0], as: EXIF_TAG_COMPONENTS_CONFIGURATION, to: EXIF_IFD_EXIF)
        builder.add(short: 1, as: EXIF_TAG_COLOR_SPACE, to: EXIF_IFD_EXIF)
        builder.add(long: UInt32(clamping: size.width), as: EXIF_TAG_PIXEL_X_DIMENSION, to: EXIF_IFD_EXIF)
        builder.add(long: UInt32(clamping: size.height), as: EXIF_TAG_PIXEL_Y_DIMENSION, to: EXIF_IFD_EXIF)
    }

    private func addPosition(to builder: borrowing ExifEntries) {
        guard let position else { return }
        func tag(_ number: Int32) -> ExifTag { ExifTag(rawValue: UInt32(number)) }
        func add(_ text: String, _ number: Int32) { builder.add(text, as: tag(number), to: EXIF_IFD_GPS) }
        func add(_ fractions: [ExifFraction], _ number: Int32) {
            builder.add(fractions, as: tag(number), to: EXIF_IFD_GPS)
        }
        func add(_ bytes: [UInt8], _ number: Int32, _ format: ExifFormat) {
            builder.add(bytes: bytes, as: tag(number), to: EXIF_IFD_GPS, format: format)
        }
        add([2, 3, 0, 0], EXIF_TAG_GPS_VERSION_ID, EXIF_FORMAT_BYTE)
        add(position.latitude < 0 ? "S" : "N", EXIF_TAG_GPS_LATITUDE_REF)
        add(Self.angle(position.latitude), EXIF_TAG_GPS_LATITUDE)
        add(position.longitude < 0 ? "W" : "E", EXIF_TAG_GPS_LONGITUDE_REF)
        add(Self.angle(position.longitude), EXIF_TAG_GPS_LONGITUDE)
        if let altitude = position.altitude {
            add([altitude < 0 ? 1 : 0], EXIF_TAG_GPS_ALTITUDE_REF, EXIF_FORMAT_BYTE)
            add([ExifFraction(UInt32((abs(altitude) * 1000).rounded()), 1000)], EXIF_TAG_GPS_ALTITUDE)
        }
        add("WGS-84", EXIF_TAG_GPS_MAP_DATUM)
        // Configured by the user, not measured for the picture.
        add(ExifEntries.comment("MANUAL"), EXIF_TAG_GPS_PROCESSING_METHOD, EXIF_FORMAT_UNDEFINED)
    }

    /// Degrees, minutes and seconds with four decimals (3 mm on the ground).
    static func angle(_ degrees: Double) -> [ExifFraction] {
        let perSecond = 10_000
        let parts = Int((abs(degrees) * 3600 * Double(perSecond)).rounded())
        let (minutes, seconds) = parts.quotientAndRemainder(dividingBy: 60 * perSecond)
        return [
            ExifFraction(UInt32(minutes / 60), 1), ExifFraction(UInt32(minutes % 60), 1),
            ExifFraction(UInt32(seconds), UInt32(perSecond)),
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
    /// `prepared` is cached data of another picture of the same camera, to save work.
    package func write(into jpeg: consuming [UInt8], _ prepared: PreparedExif = PreparedExif()) -> [UInt8] {
        var jpeg = jpeg
        guard verdict != .damaged, let header = try? ApplicationSegments(jpeg.rawSpan) else { return jpeg }
        let own = own ?? header.exif.first.flatMap { CameraExif(jpeg.rawSpan.extracting($0.body)) }
        guard let segment = prepared.segment(self, besides: own) else { return jpeg }
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
