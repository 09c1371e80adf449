// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

@testable internal import TintypeImaging

/// A camera's own picture as a still of integrity `tolerant` has it: a whole file, SOI to EOI.
///
/// - Throws: the first thing that is wrong with it.
func passedThrough(_ bytes: RawSpan, expected: FrameSize? = nil) throws(ImagingError) -> [UInt8] {
    var inspector = JPEGInspector()
    let seen = JPEGInspection(bytes, expected: expected, depth: .segments, with: &inspector)
    if let fault = seen.faults.first { throw fault }
    guard let whole = seen.whole else { throw .truncated }
    return whole.copied(from: bytes)
}
