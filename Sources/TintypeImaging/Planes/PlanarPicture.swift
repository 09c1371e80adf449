// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// A picture as JFIF planes (BT.601, full range) in memory of its own: luma and, unless it is grey, Cb and Cr.
///
/// It is what a still is between its camera's bytes and its JPEG where anything is done to its pixels. Its memory is
/// kept from one picture to the next, so that a caller that makes many keeps one; one thread at a time uses it.
///
/// As libturbojpeg reads them, planes are padded to whole chroma samples: at an odd side of a 4:2:0 picture there is one
/// column or row of luma more than its ``size`` says, which repeats the last.
@safe package struct PlanarPicture: ~Copyable {
    /// The size of the picture, without padding.
    package private(set) var size = FrameSize(width: 1, height: 1)
    /// What its chroma samples stand for.
    package private(set) var sampling = ChromaSampling.grey
    private var memory = ScratchBuffer()

    /// A picture of one pixel, of any shade.
    package init() { unsafe _ = memory.reserve(Self.byteCount(size, sampling)) }

    /// Makes it a picture of this size, whose samples are undefined until they are written.
    ///
    /// - Parameters:
    ///   - size: the sides of the picture, at least 1 each.
    ///   - sampling: what its chroma samples stand for.
    package mutating func reset(to size: FrameSize, _ sampling: ChromaSampling) {
        precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
        self.size = size
        self.sampling = sampling
        unsafe _ = memory.reserve(Self.byteCount(size, sampling))
    }

    /// Gives memory back that is more than a picture of 1920x1080 needs; the picture is one of one pixel then.
    package mutating func trim() {
        memory.trim()
        guard memory.capacity == 0 else { return }
        reset(to: FrameSize(width: 1, height: 1), .grey)
    }

    /// How many planes it has: 1 or 3.
    package var planeCount: Int { sampling == .grey ? 1 : 3 }

    /// A plane of samples: 0 for luma, 1 for Cb, 2 for Cr; the last two only where ``planeCount`` is 3.
    ///
    /// Valid until the picture is next reset or ends.
    func plane(_ index: Int) -> SamplePlane {
        precondition(index < planeCount, "a grey picture has one plane")
        let shape = Self.shape(size, sampling)
        let luma = shape.luma.stride * shape.luma.height
        let offset = index == 0 ? 0 : luma + (index - 1) * shape.chroma.stride * shape.chroma.height
        let part = index == 0 ? shape.luma : shape.chroma
        return unsafe SamplePlane(
            start: memory.start + offset,
            stride: part.stride,
            width: part.width,
            height: part.height
        )
    }

    /// All of them, to be read.
    var source: PicturePlanes {
        let luma = unsafe plane(0).source
        guard planeCount == 3 else { return unsafe PicturePlanes(luma: luma, cb: luma, cr: luma, sampling: .grey) }
        return unsafe PicturePlanes(luma: luma, cb: plane(1).source, cr: plane(2).source, sampling: sampling)
    }

    /// All of them as libturbojpeg takes them: their first samples, and the bytes from row to row.
    var pointers: (starts: [UnsafeMutablePointer<UInt8>?], strides: [Int32]) {
        let planes = unsafe (0..<planeCount).map { unsafe plane($0) }
        return unsafe (planes.map(\.start), planes.map { unsafe Int32($0.stride) })
    }

    /// Makes every sample the same.
    func fill(with sample: UInt8) {
        unsafe memory.start.update(repeating: sample, count: Self.byteCount(size, sampling))
    }

    private typealias Part = (width: Int, height: Int, stride: Int)

    private static func shape(_ size: FrameSize, _ sampling: ChromaSampling) -> (luma: Part, chroma: Part) {
        func part(_ width: Int, _ height: Int) -> Part { (width, height, (width + 63) / 64 * 64) }
        let columns = (size.width + sampling.columns - 1) / sampling.columns
        let rows = (size.height + sampling.rows - 1) / sampling.rows
        return (part(columns * sampling.columns, rows * sampling.rows), part(columns, rows))
    }

    private static func byteCount(_ size: FrameSize, _ sampling: ChromaSampling) -> Int {
        let shape = shape(size, sampling)
        let chroma = sampling == .grey ? 0 : 2 * shape.chroma.stride * shape.chroma.height
        return shape.luma.stride * shape.luma.height + chroma
    }
}

/// One plane of samples, a byte each, that may be written.
@unsafe struct SamplePlane {
    /// The first sample of the first row.
    let start: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next.
    let stride: Int
    let width: Int
    let height: Int

    /// The first sample of a row, which must be one of the plane's.
    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> { unsafe start + index * stride }

    /// The same, only to be read.
    var source: SourcePlane { unsafe SourcePlane(start: start, stride: stride, width: width, height: height) }
}

/// One plane of samples, a byte each, that is only read; as ``SamplePlane``.
@unsafe struct SourcePlane {
    let start: UnsafePointer<UInt8>
    let stride: Int
    let width: Int
    let height: Int

    func row(_ index: Int) -> UnsafePointer<UInt8> { unsafe start + index * stride }
}

/// The planes of a JFIF picture: in the camera's buffer, in memory of ours, or partly in each.
@unsafe struct PicturePlanes {
    var luma: SourcePlane
    /// Of a grey picture, as ``cr``, its luma.
    let cb: SourcePlane
    let cr: SourcePlane
    let sampling: ChromaSampling
}
