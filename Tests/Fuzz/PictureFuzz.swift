// SPDX-License-Identifier: Apache-2.0
import TintypeImaging
import TintypeModel

// Hands bytes to whatever reads JPEG pictures of cameras. Built with libFuzzer and the address sanitizer, which end the
// process at the first byte that is read outside, and by a trap of Swift's own; a promise that is broken ends it too. Run
// by Tests/Fuzz/run, which begins with the pictures in Tests/Fuzz/corpus.

/// What is kept from picture to picture, as an encoding thread keeps it.
private nonisolated(unsafe) var decoder = DecoderOnDemand()

/// Pictures of more pixels are not decoded: that would be a test of libturbojpeg's speed.
private let largestArea = 1 << 16

/// One input; never anything but 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func look(at data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer hands over a block of exactly this size.
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count).bytes
    let header = try? JPEGHeader.read(bytes)
    let isWhole = JPEGHeader.isWhole(bytes)
    let finding = try? JPEGScanReader.read(bytes)
    if let picture = try? JPEGPassthrough.picture(from: bytes, expected: nil) {
        promise(isWhole && header != nil, "a picture passed through that is not whole")
        promise(unsafe JPEGHeader.isWhole(picture.span.bytes), "what was passed through is not whole")
        promise(picture.count <= count + 420, "a picture grew to \(picture.count) bytes")
    }
    if let finding, case .whole(let end) = finding { promise(end <= count, "a scan ends at \(end) of \(count)") }
    guard let header, header.size.area <= largestArea else { return 0 }
    _ = try? unsafe decoder.use { (decoder) throws(ImagingError) in
        inspect(bytes, header, finding, with: &decoder)
    }
    return 0
}

private func inspect(
    _ bytes: RawSpan,
    _ header: JPEGHeader,
    _ finding: JPEGScanFinding?,
    with decoder: inout JPEGDecoder
) {
    let brief = JPEGInspection(bytes, expected: header.size, depth: .segments, with: &decoder)
    let close = JPEGInspection(bytes, expected: header.size, depth: .entropy, with: &decoder)
    promise(!brief.faults.isEmpty || brief.mended != nil, "a picture without faults was not handed out")
    promise(brief.faults.isEmpty || !close.faults.isEmpty, "who looked closer saw less")
    guard let mended = close.mended, case .whole = finding else { return }
    promise(unsafe JPEGHeader.isWhole(mended.span.bytes), "what was mended is not whole")
    // All that libturbojpeg has to say of a baseline picture's data, the scan reader says too.
    if let warning = unsafe (try? decoder.warning(about: mended.span.bytes)) ?? nil {
        promise(warning.contains("Adobe") || warning.contains("JFIF"), "only libjpeg says “\(warning)”")
    }
}

private func promise(_ isKept: Bool, _ sentence: String) {
    if !isKept { fatalError(sentence) }
}
