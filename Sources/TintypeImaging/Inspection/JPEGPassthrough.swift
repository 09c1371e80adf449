// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

/// Takes a camera's own JPEG picture out of its buffer, made whole where webcams leave something out.
package enum JPEGPassthrough {
    /// The picture, copied once; its entropy-coded data stays as the camera made it.
    ///
    /// Padding after EOI is cut off. Where no Huffman tables (DHT) come before the first scan, as in the AVI1 kind of
    /// Motion JPEG, the standard ones are put in before the frame header: decoders other than those made for webcams
    /// need them.
    ///
    /// - Parameters:
    ///   - bytes: what the driver says was used of the buffer (`bytesused`).
    ///   - expected: the size that the driver granted; nil to take any.
    /// - Returns: the bytes of a whole file, SOI to EOI.
    /// - Throws: ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated`` where the segments do not lead from SOI to
    ///   EOI, ``ImagingError/sizeMismatch(_:expected:)``.
    package static func picture(from bytes: RawSpan, expected: FrameSize?) throws(ImagingError) -> [UInt8] {
        let structure = try JPEGStructure(bytes)
        if let expected, structure.header.size != expected {
            throw .sizeMismatch(structure.header.size, expected: expected)
        }
        return try picture(from: bytes, structure)
    }

    /// The picture up to `end`, with the Huffman tables and the EOI marker that it lacks; up to its own end where that is
    /// nil.
    static func picture(
        from bytes: RawSpan,
        _ structure: JPEGStructure,
        end: Int? = nil
    ) throws(ImagingError) -> [UInt8] {
        let end = end ?? structure.end
        let marker: [UInt8] = structure.isTerminated ? [] : [0xFF, JPEGMarker.endOfImage.rawValue]
        guard !structure.hasHuffmanTables, !structure.isArithmetic else {
            return copy(bytes, splitAt: end, inserting: [], end: end, marker)
        }
        guard !structure.header.isProgressive else {
            throw .notJPEG("it is progressive and has no Huffman tables, for which there is no standard")
        }
        let tables = StandardHuffmanTables.segment
        return copy(bytes, splitAt: structure.frameHeaderOffset, inserting: tables, end: end, marker)
    }

    /// The same without a copy where nothing has to be put in.
    static func whole(
        in bytes: RawSpan,
        _ structure: JPEGStructure,
        end: Int? = nil
    ) throws(ImagingError) -> WholeJPEG {
        guard structure.isTerminated, structure.hasHuffmanTables || structure.isArithmetic else {
            return .mended(try picture(from: bytes, structure, end: end))
        }
        return .delivered(count: structure.end)
    }

    private static func copy(
        _ bytes: RawSpan,
        splitAt split: Int,
        inserting tables: [UInt8],
        end: Int,
        _ tail: [UInt8]
    ) -> [UInt8] {
        let total = end + tables.count + tail.count
        return unsafe bytes.withUnsafeBytes { source in
            unsafe [UInt8](unsafeUninitializedCapacity: total) { target, count in
                if let from = source.baseAddress, let to = target.baseAddress {
                    unsafe memcpy(to, from, split)
                    unsafe tables.withUnsafeBufferPointer { extra in
                        if let start = extra.baseAddress { unsafe memcpy(to + split, start, extra.count) }
                    }
                    unsafe memcpy(to + split + tables.count, from + split, end - split)
                    for (index, byte) in tail.enumerated() { unsafe to[end + tables.count + index] = byte }
                    count = total
                }
            }
        }
    }
}
