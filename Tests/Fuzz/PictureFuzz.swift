// SPDX-License-Identifier: Apache-2.0
import Glibc
import TintypeImaging
import TintypeModel

// Fuzzes everything that reads JPEG pictures of cameras. Run by Tests/Fuzz/run, with libFuzzer and the address sanitizer,
// from the pictures in Tests/Fuzz/corpus. An access out of bounds, a trap or a broken promise ends the process. With
// TINTYPE_FUZZ_PLANT in the environment it reads a byte past the input, which the sanitizer must detect.

/// Reused for all pictures, as by an encoding thread.
private nonisolated(unsafe) var inspector = JPEGInspector()
private nonisolated(unsafe) var decoder = JPEGDecoder()
private nonisolated(unsafe) var reader = JPEGScanReader()
private nonisolated(unsafe) var transformer = JPEGTransformer()
private nonisolated(unsafe) var planes = PlanarPicture()

/// Pictures of more pixels are not decoded: that would be a test of libturbojpeg's speed.
private let largestArea = 1 << 16

/// True to read out of bounds on purpose.
private let isPlanted = unsafe getenv("TINTYPE_FUZZ_PLANT") != nil

/// Processes one input and returns 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func look(at data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The block of libFuzzer has exactly this size.
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count + (isPlanted ? 1 : 0)).bytes
    let header = try? JPEGHeader.read(bytes)
    let finding = try? unsafe reader.read(bytes)
    let seen = unsafe JPEGInspection(bytes, expected: nil, depth: .segments, with: &inspector)
    if seen.faults.isEmpty, let picture = seen.whole?.copied(from: bytes) {
        promise(unsafe JPEGHeader.isWhole(picture.span.bytes), "what was passed through is not whole")
        promise(picture.count <= count + 420, "a picture grew to \(picture.count) bytes")
    }
    if let finding, case .whole(let end) = finding { promise(end <= count, "a scan ends at \(end) of \(count)") }
    guard let header, header.size.area <= largestArea else { return 0 }
    inspect(bytes, header)
    rearrange(bytes, header)
    describe(bytes, header)
    return 0
}

/// Crops, flips, turns and scales as derived from the picture's bytes, so that an input is reproducible.
private func rearrange(_ bytes: RawSpan, _ header: JPEGHeader) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<bytes.byteCount {
        hash = (hash ^ UInt64(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))) &* 0x100_0000_01B3
    }
    func choose(_ count: Int) -> Int {
        defer { hash = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9 }
        return Int(hash % UInt64(max(count, 1)))
    }
    var rendering = ImageOptions(turn: Turn.allCases[choose(Turn.allCases.count)])
    rendering.flip = [nil, .horizontal, .vertical][choose(3)]
    if choose(2) == 0 {
        let (left, top) = (choose(header.size.width), choose(header.size.height))
        let size = FrameSize(width: 1 + choose(header.size.width - left), height: 1 + choose(header.size.height - top))
        rendering.crop = CropRectangle(size: size, left: left, top: top)
    }
    let strict = choose(2) == 0
    if let plan = try? GeometryPlan(rendering, of: header.size),
        let picture = (try? transformer.transform(bytes, plan: plan, strict: strict)) ?? nil
    {
        // Unchanged if nothing is to be done.
        let isUntouched = bytes.withUnsafeBytes { unsafe $0.elementsEqual(picture) }
        let isWhole = unsafe JPEGHeader.isWhole(picture.span.bytes)
        promise(isWhole || isUntouched, "what was put into another order is not whole")
    }
    if choose(2) == 0 { rendering.width = 1 + choose(header.size.width) }
    guard let plan = try? GeometryPlan(rendering, of: header.size),
        (try? transformer.draw(bytes, plan: plan, strict: strict, into: &planes)) != nil
    else { return }
    promise(planes.size == plan.size, "\(planes.size) was drawn, and not \(plan.size)")
}

/// Replaces the picture's EXIF data.
private func describe(_ bytes: RawSpan, _ header: JPEGHeader) {
    let jpeg = bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    let time = Timestamp(microseconds: 1_700_000_000_000_000)
    let facts = ExifFacts(id: FrameID(at: time), capturedAt: time, size: header.size, sequence: 1, verdict: .sound)
    let picture = facts.write(into: jpeg)
    promise(picture.count <= jpeg.count + 0xFFFF + 2, "EXIF data of \(picture.count - jpeg.count) bytes")
    let size = unsafe (try? JPEGHeader.read(picture.span.bytes))?.size
    promise(size == header.size, "with EXIF data it is \(size.map(String.init) ?? "no picture")")
    promise(unsafe JPEGHeader.isWhole(picture.span.bytes) == JPEGHeader.isWhole(bytes), "EXIF data broke a picture")
}

private func inspect(_ bytes: RawSpan, _ header: JPEGHeader) {
    let brief = unsafe JPEGInspection(bytes, expected: header.size, depth: .segments, with: &inspector)
    let close = unsafe JPEGInspection(bytes, expected: header.size, depth: .entropy, with: &inspector)
    promise(!brief.faults.isEmpty || brief.whole != nil, "a picture without faults was not handed out")
    promise(brief.faults.isEmpty || !close.faults.isEmpty, "who looked closer saw less")
    guard let mended = close.whole?.copied(from: bytes) else { return }
    promise(unsafe JPEGHeader.isWhole(mended.span.bytes), "what was mended is not whole")
    let isMended = (close.quirks == [.missingEnd] || close.quirks == [.surplusBytes]) && reader.isPlain
    guard close.faults.isEmpty || isMended, close.refusal == nil else { return }
    // Checked by our reader only so far: libturbojpeg must not warn either.
    do throws(ImagingError) {
        let warning = try unsafe decoder.warning(about: mended.rawSpan)
        promise(warning == nil, "only libjpeg says “\(warning ?? "")”")
    } catch {
        promise(false, "only libjpeg refuses it: \(error)")
    }
}

private func promise(_ isKept: Bool, _ sentence: String) {
    if !isKept { fatalError(sentence) }
}
