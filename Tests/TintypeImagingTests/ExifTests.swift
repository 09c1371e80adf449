// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import TintypeImaging
@testable internal import TintypeModel

struct ExifTests {
    private static let size = SampleFacts.size
    private static let exposure = CameraReading(time: .milliseconds(25), gain: 64, readAt: .init(nanoseconds: 0))
    private static let berlin = GeoPosition(latitude: 52.5163, longitude: 13.3777, altitude: 34)

    /// Source of a picture: a kind of camera, or the encoder.
    struct Source: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable () throws -> [UInt8]

        init(_ name: String, _ make: @escaping @Sendable () throws -> [UInt8]) {
            testDescription = name
            self.make = make
        }
    }

    private static func passed(_ jpeg: [UInt8]) throws -> [UInt8] { try passedThrough(jpeg.rawSpan, expected: size) }

    /// Replaces the APP segments of a picture by `segment`.
    private static func opening(_ jpeg: [UInt8], with segment: [UInt8]) -> [UInt8] {
        let start = SampleJPEG.segments(jpeg).first { !(0xE0...0xEF).contains($0.marker) }?.range.lowerBound ?? 2
        return [0xFF, 0xD8] + segment + jpeg[start...]
    }

    private static let sources = [
        Source("encoded") { try SampleJPEG.baseline(size) },
        Source("grey") {
            try SampleJPEG.encoded([UInt8](repeating: 99, count: 4800), PictureLayout(.grey, size), quality: 80)
        },
        Source("Motion JPEG with JFIF") { try passed(SampleJPEG.baseline(size) + [0, 0, 0]) },
        Source("Motion JPEG of the AVI1 kind, without DHT") {
            let avi1: [UInt8] = [0xFF, 0xE0, 0, 14] + Array("AVI1".utf8) + [UInt8](repeating: 0, count: 8)
            return try passed(opening(SampleJPEG.withoutTables(try SampleJPEG.baseline(size)), with: avi1))
        },
        Source("without any APP segment") { try passed(opening(SampleJPEG.baseline(size), with: [])) },
        Source("with EXIF of its own behind JFIF") {
            try Programs.exiftool(SampleJPEG.baseline(size), writing: ["-Make=Acme", "-Model=Eye", "-ISO=777"])
        },
        Source("with EXIF of its own and no JFIF") {
            let other = try Programs.exiftool(opening(SampleJPEG.baseline(size), with: []), writing: ["-Make=Acme"])
            #expect(other[3] == 0xE1)
            return other
        },
        Source("progressive") { SampleJPEG.progressive(size) },
    ]

    @Test(arguments: sources)
    func `exiftool reads every tag without a warning`(_ source: Source) throws {
        var facts = try SampleFacts.make(SampleFacts.camera, Self.exposure, at: Self.berlin)
        facts.average = 4
        let tags = try Programs.exiftool(facts.write(into: try source.make()))
        #expect(tags["Warning"] == nil && tags["Error"] == nil, "\(tags)")
        #expect(tags["Validate"] == "0 0 0")
        let expected = [
            "Make": "L?gitech", "Model": "C920", "SerialNumber": "1234ABCD", "Orientation": "1",
            "ExposureTime": "0.025", "ISO": "64", "SensitivityType": "0", "ExifImageWidth": "80",
            "ExifImageHeight": "60",
            "ImageUniqueID": "0189f7e58d2a7abc8def0123456789ab",
            "UserComment": "sequence=4294967295 verdict=sound average=4 gain=64", "ExifVersion": "0231",
            "Software": "tintyped \(TintypeVersion.current)", "GPSProcessingMethod": "MANUAL",
            "GPSMapDatum": "WGS-84", "GPSAltitude": "34",
        ]
        for (tag, value) in expected { #expect(tags[tag] == value, "\(tag): \(tags[tag] ?? "none")") }
        for suffix in ["", "Original", "Digitized"] {
            #expect(tags["SubSecTime\(suffix)"] == "345678")
            #expect(tags["OffsetTime\(suffix)"] != nil)
        }
        #expect(abs((tags["GPSLatitude"].flatMap(Double.init) ?? 0) - 52.5163) < 1e-7)
        #expect(abs((tags["GPSLongitude"].flatMap(Double.init) ?? 0) - 13.3777) < 1e-7)
    }

    @Test(arguments: sources)
    func `writing EXIF data leaves the picture unchanged`(_ source: Source) throws {
        let before = try source.make()
        let after = try SampleFacts.make().write(into: before)
        #expect(SampleJPEG.segments(after).filter { $0.marker == 0xE1 }.count == 1)
        #expect(SampleJPEG.without(0xE1, after) == SampleJPEG.without(0xE1, before))
        let (old, new) = try Programs.withFile(before) { before in
            try Programs.withFile(after) { after in
                (try Programs.run(["djpeg", "-bmp", before]), try Programs.run(["djpeg", "-bmp", after]))
            }
        }
        #expect(old == new && old.count > 4800)
        let pillow = "import sys, PIL.Image as I; p = I.open(sys.argv[1]); p.load(); print(p.size, p.getexif()[0x0131])"
        let said = try Programs.withFile(after) { path in try Programs.run(["/usr/bin/python3", "-c", pillow, path]) }
        #expect(String(decoding: said, as: UTF8.self) == "(80, 60) tintyped \(TintypeVersion.current)\n")
    }

    @Test func `EXIF data is inserted in place if the array has capacity`() throws {
        var jpeg = try SampleJPEG.baseline(Self.size)
        // Bytes that do not end the scan, and an APP1 marker that would be EXIF data before the scan.
        jpeg.insert(contentsOf: [UInt8](repeating: 0x55, count: 200_000), at: jpeg.count - 2)
        jpeg.insert(contentsOf: [0xFF, 0xE1, 0xFF, 0xFF], at: jpeg.count - 2)
        let (facts, end) = (try SampleFacts.make(), Array(jpeg.suffix(200_006)))
        jpeg.reserveCapacity(jpeg.count + ExifFacts.usualRoom)
        let before = unsafe jpeg.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        jpeg = facts.write(into: consume jpeg)
        let after = unsafe jpeg.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(after == before)
        #expect(Array(jpeg.suffix(200_006)) == end && jpeg.count > end.count + 500)
    }

    @Test func `date tags have the capture time with its zone offset`() throws {
        let tags = try Programs.exiftool(SampleFacts.make().write(into: SampleJPEG.baseline(Self.size)))
        let reader = DateFormatter()
        reader.locale = Locale(identifier: "en_US_POSIX")
        reader.dateFormat = "yyyy:MM:dd HH:mm:ssxxx"
        for tag in ["ModifyDate", "DateTimeOriginal", "CreateDate"] {
            let date = reader.date(from: "\(tags[tag] ?? "")\(tags["OffsetTimeOriginal"] ?? "")")
            #expect(date?.timeIntervalSince1970 == 1_795_271_412, "\(tag): \(tags[tag] ?? "none")")
        }
    }

    @Test func `the camera's own EXIF fills only unknown camera tags`() throws {
        let said = ["-Make=Acme", "-Model=Eye 5", "-Orientation=6", "-ISO=777", "-Artist=Nobody"]
        let own = try Programs.exiftool(SampleJPEG.baseline(Self.size), writing: said)
        var facts = try SampleFacts.make(nil)
        var tags = try Programs.exiftool(facts.write(into: own))
        #expect(tags["Make"] == "Acme" && tags["Model"] == "Eye 5")
        #expect(tags["Orientation"] == "6")
        #expect(tags["ISO"] == nil && tags["Artist"] == nil)
        // A turned picture is upright.
        facts.hasOwnOrientation = false
        #expect(try Programs.exiftool(facts.write(into: own))["Orientation"] == "1")
        facts.camera = SampleFacts.camera
        tags = try Programs.exiftool(facts.write(into: own))
        #expect(tags["Make"] == "L?gitech" && tags["Model"] == "C920")
    }

    @Test func `unknown facts have no tag`() throws {
        let tags = try Programs.exiftool(SampleFacts.make(nil).write(into: SampleJPEG.baseline(Self.size)))
        #expect(tags["Warning"] == nil, "\(tags)")
        for tag in ["Make", "Model", "SerialNumber", "ExposureTime", "ISO", "SensitivityType", "GPSLatitude"] {
            #expect(tags[tag] == nil, "\(tag): \(tags[tag] ?? "")")
        }
    }

    /// Camera reading and its expected tags.
    struct Exposure: CustomTestStringConvertible, Sendable {
        let reading: CameraReading
        let time: String?
        let iso: String?
        var testDescription: String { "\(time ?? "no time"), \(iso ?? "no ISO")" }

        init(_ time: Duration? = nil, iso: Int? = nil, gain: Int64? = nil, gives text: String?, _ number: String?) {
            reading = CameraReading(time: time, isoSensitivity: iso, gain: gain, readAt: MonotonicTime(nanoseconds: 0))
            self.time = text
            self.iso = number
        }
    }

    @Test(arguments: [
        Exposure(.microseconds(100), gain: 1, gives: "0.0001", "1"), Exposure(.seconds(3), gain: 0, gives: "3", nil),
        Exposure(.microseconds(33300), iso: 400, gain: 7, gives: "0.0333", "400"),
        Exposure(.microseconds(10), gain: -3, gives: "0.0001", nil), Exposure(.zero, gives: nil, nil),
        Exposure(.seconds(214_748), iso: 1_000_000, gives: "214748", "65535"),
    ])
    func `exposure and ISO tags have the values of the camera`(_ exposure: Exposure) throws {
        let facts = try SampleFacts.make(nil, exposure.reading)
        let tags = try Programs.exiftool(facts.write(into: SampleJPEG.baseline(Self.size)))
        #expect(tags["Warning"] == nil, "\(tags)")
        #expect(tags["ExposureTime"] == exposure.time && tags["ISO"] == exposure.iso)
    }

    @Test(arguments: [
        GeoPosition(latitude: -90, longitude: -180, altitude: -12_000),
        GeoPosition(latitude: 90, longitude: 180, altitude: 100_000), GeoPosition(latitude: 0, longitude: 0),
        GeoPosition(latitude: -33.999999999, longitude: 0.0000001, altitude: 0.25),
    ])
    func `a position is written to the seventh decimal`(_ position: GeoPosition) throws {
        let facts = try SampleFacts.make(nil, at: position)
        let tags = try Programs.exiftool(facts.write(into: SampleJPEG.baseline(Self.size)))
        #expect(tags["Warning"] == nil, "\(tags)")
        // With -n, Composite has the signed position; it comes last and wins.
        let parts = (tags["GPSPosition"] ?? "").split(separator: " ").compactMap { Double($0) }
        #expect(parts.count == 2)
        #expect(abs((parts.first ?? 999) - position.latitude) < 1e-7)
        #expect(abs((parts.last ?? 999) - position.longitude) < 1e-7)
        #expect(tags["GPSAltitude"].flatMap(Double.init) == position.altitude)
    }

    @Test func `rounding carries 60 seconds into the degrees`() {
        let angle = ExifFacts.angle(1.9999999999).map { [$0.0, $0.1] }
        #expect(angle == [[2, 1], [0, 1], [0, 10_000]])
    }

    @Test func `a damaged picture is left unchanged`() throws {
        let jpeg = try Programs.exiftool(SampleJPEG.baseline(Self.size), writing: ["-Make=Acme"])
        var damaged = try SampleFacts.make()
        damaged.verdict = .damaged
        #expect(damaged.write(into: jpeg) == jpeg)
    }

    @Test func `a picture cut before its frame header is left unchanged`() throws {
        let jpeg = try Programs.exiftool(SampleJPEG.baseline(Self.size), writing: ["-Make=Acme"])
        let scan = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xC0 })
        for count in 0..<scan.range.lowerBound {
            let cut = Array(jpeg.prefix(count))
            #expect(try SampleFacts.make().write(into: cut) == cut)
        }
    }

    @Test func `corrupt EXIF data of the camera is replaced`() throws {
        let jpeg = try Programs.exiftool(SampleJPEG.baseline(Self.size), writing: ["-Make=Acme", "-Orientation=3"])
        let segment = try #require(SampleJPEG.segments(jpeg).first { $0.marker == 0xE1 })
        var generator = SeededGenerator(seed: 287)
        for _ in 0..<3000 {
            var ruined = jpeg
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: segment.range.dropFirst(10), using: &generator)
                ruined[place] = UInt8.random(in: 0...255, using: &generator)
            }
            let picture = try SampleFacts.make(nil).write(into: ruined)
            #expect(SampleJPEG.segments(picture).filter { $0.marker == 0xE1 }.count == 1)
            #expect(SampleJPEG.scan(picture) == SampleJPEG.scan(jpeg))
        }
    }
}
