// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

/// JFIF planes (BT.601, full range) in memory of their own: luma and, unless grey, Cb and Cr; not thread-safe.
///
/// Padded to whole chroma samples for libturbojpeg: an odd side of 4:2:0 repeats its last column or row.
@safe package struct PlanarPicture: ~Copyable {
    /// Without padding.
    package private(set) var size = FrameSize(width: 1, height: 1)
    package private(set) var sampling = ChromaSampling.grey
    private var memory = ScratchBuffer()

    /// One pixel with undefined content.
    package init() { unsafe _ = memory.reserve(Self.byteCount(size, sampling)) }

    /// The samples are undefined until written; both sides must be at least 1.
    package mutating func reset(to size: FrameSize, _ sampling: ChromaSampling) {
        precondition(size.width > 0 && size.height > 0, "a picture has at least one pixel")
        self.size = size
        self.sampling = sampling
        unsafe _ = memory.reserve(Self.byteCount(size, sampling))
    }

    /// Frees memory beyond what a 1920x1080 picture needs; the picture then has one pixel.
    package mutating func trim() {
        memory.trim()
        guard memory.capacity == 0 else { return }
        reset(to: FrameSize(width: 1, height: 1), .grey)
    }

    package var planeCount: Int { sampling == .grey ? 1 : 3 }

    /// 0 is luma, 1 is Cb, 2 is Cr; valid until the picture is reset, trimmed or released.
    func plane(_ index: Int) -> SamplePlane {
        precondition(index < planeCount, "a grey picture has one plane")
        let shape = Self.shape(size, sampling)
        let luma = shape.luma.stride * shape.luma.height
        let offset = index == 0 ? 0 : luma + (index - 1) * shape.chroma.stride * shape.chroma.height
        let part = index == 0 ? shape.luma : shape.chroma
        let start = unsafe memory.start + offset
        return unsafe SamplePlane(start: start, stride: part.stride, width: part.width, height: part.height)
    }

    var source: PicturePlanes {
        let luma = unsafe plane(0).source
        guard planeCount == 3 else { return unsafe PicturePlanes(luma: luma, cb: luma, cr: luma, sampling: .grey) }
        return unsafe PicturePlanes(luma: luma, cb: plane(1).source, cr: plane(2).source, sampling: sampling)
    }

    /// Row strides are in bytes; arguments for libturbojpeg.
    var pointers: (starts: [UnsafeMutablePointer<UInt8>?], strides: [Int32]) {
        let planes = unsafe (0..<planeCount).map { unsafe plane($0) }
        return unsafe (planes.map(\.start), planes.map { unsafe Int32($0.stride) })
    }

    /// Padding included.
    func fill(with sample: UInt8) {
        unsafe memory.start.update(repeating: sample, count: Self.byteCount(size, sampling))
    }

    /// Copies planes of a picture of the same size and sampling.
    func copy(_ planes: PicturePlanes) {
        for index in 0..<planeCount {
            let (from, to) = unsafe ([planes.luma, planes.cb, planes.cr][index], plane(index))
            let (width, height) = unsafe (min(from.width, to.width), min(from.height, to.height))
            for row in 0..<height { unsafe to.row(row).update(from: from.row(row), count: width) }
        }
    }

    /// Makes the cells of a mask black, padding included.
    func black(_ mask: MaskGrid) {
        let cell = MaskGrid.cell
        for index in 0..<planeCount {
            let plane = unsafe plane(index)
            let (width, height) = unsafe (plane.width, plane.height)
            let (across, down) = index == 0 ? (1, 1) : (sampling.columns, sampling.rows)
            let side = (width: cell.width / across, height: cell.height / down)
            for row in 0..<height {
                for column in 0..<mask.columns where mask[column, row / side.height] {
                    let start = column * side.width
                    let count = min(side.width, width - start)
                    unsafe (plane.row(row) + start).update(repeating: index == 0 ? 0 : 128, count: max(0, count))
                }
            }
        }
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

typealias SampleRow = UnsafeMutablePointer<UInt8>
typealias SourceRow = UnsafePointer<UInt8>

@unsafe struct SamplePlane {
    let start: SampleRow
    /// Bytes per row, including padding.
    let stride: Int
    let width: Int
    let height: Int

    /// The index is not checked.
    func row(_ index: Int) -> SampleRow { unsafe start + index * stride }
    var source: SourcePlane { unsafe SourcePlane(start: start, stride: stride, width: width, height: height) }
}

/// Read-only counterpart of ``SamplePlane``.
@unsafe struct SourcePlane {
    let start: SourceRow
    let stride: Int
    let width: Int
    let height: Int

    func row(_ index: Int) -> SourceRow { unsafe start + index * stride }
}

/// Planes of a JFIF picture, in the camera's buffer or in our own memory.
@unsafe struct PicturePlanes {
    var luma: SourcePlane
    /// For a grey picture `cb` and `cr` are its luma.
    let cb: SourcePlane
    let cr: SourcePlane
    let sampling: ChromaSampling
}

/// Chroma subsampling (`TJSAMP`).
package enum ChromaSampling: Hashable, Sendable, CaseIterable {
    case grey
    /// 4:4:4.
    case full
    /// 4:2:2.
    case half
    /// 4:2:0.
    case quarter
    /// 4:4:0.
    case halfRows
    /// 4:1:1.
    case fourth

    /// Nil if libturbojpeg does not support one chroma sample per `columns` by `rows` luma samples.
    init?(columns: Int, rows: Int) {
        let found = Self.allCases.first { $0 != .grey && $0.columns == columns && $0.rows == rows }
        guard let found else { return nil }
        self = found
    }

    /// `TJSAMP`.
    var code: Int32 { Int32(facts.name.rawValue) }

    /// Luma samples per chroma sample; 1 for ``grey``.
    package var columns: Int { facts.columns }
    package var rows: Int { facts.rows }

    private var facts: (name: TJSAMP, columns: Int, rows: Int) {
        switch self {
        case .grey: (TJSAMP_GRAY, 1, 1)
        case .full: (TJSAMP_444, 1, 1)
        case .half: (TJSAMP_422, 2, 1)
        case .quarter: (TJSAMP_420, 2, 2)
        case .halfRows: (TJSAMP_440, 1, 2)
        case .fourth: (TJSAMP_411, 4, 1)
        }
    }

    /// 4:2:0 instead of 4:1:1, which would lose most colour when scaled down.
    package var drawn: ChromaSampling { self == .fourth ? .quarter : self }

    /// Of a picture turned by 90 degrees: 4:2:2 and 4:4:0 are exchanged.
    ///
    /// 4:1:1 becomes 4:2:0, as libturbojpeg cannot read one chroma row for four luma rows.
    package var turned: ChromaSampling {
        switch self {
        case .grey, .full, .quarter: self
        case .half: .halfRows
        case .halfRows: .half
        case .fourth: .quarter
        }
    }
}

/// Memory that an encoder reuses; it only grows until ``trim()``.
@safe struct ScratchBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    init() { unsafe memory = nil }

    deinit { unsafe memory?.deallocate() }

    /// Traps if nothing is reserved.
    var start: UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe memory else { preconditionFailure("nothing was reserved") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    /// At least `count` uninitialised bytes, 64-byte aligned, valid until the next call.
    mutating func reserve(_ count: Int) -> UnsafeMutablePointer<UInt8> {
        if let memory = unsafe memory, count <= capacity { return unsafe memory.assumingMemoryBound(to: UInt8.self) }
        unsafe memory?.deallocate()
        capacity = max(count, 64)
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 64)
        unsafe memory = fresh
        return unsafe fresh.bindMemory(to: UInt8.self, capacity: capacity)
    }

    /// Frees the memory if it is larger than a 1920x1080 picture needs.
    mutating func trim() {
        guard capacity > 1920 * 1088 * 3 / 2 else { return }
        unsafe memory?.deallocate()
        unsafe memory = nil
        capacity = 0
    }
}
