// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What is wrong with a buffer by what the driver says of it, whatever its bytes are.
package struct DeliveryFaults: OptionSet, Hashable, Sendable {
    /// A bit for each.
    package let rawValue: UInt8

    /// Those of these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is flagged as damaged (`V4L2_BUF_FLAG_ERROR`).
    package static let flagged = DeliveryFaults(rawValue: 1)
    /// It has fewer bytes than its format needs (`bytesused`).
    package static let short = DeliveryFaults(rawValue: 2)
    /// It has the number of the buffer before it (`sequence`), in a stream whose numbers go on otherwise.
    package static let repeated = DeliveryFaults(rawValue: 4)
    /// The driver may have written into it while it was copied.
    package static let overwritten = DeliveryFaults(rawValue: 8)

    /// The same as a still's record names them.
    package var pictureFaults: [PictureFault] {
        guard !isEmpty else { return [] }
        var faults: [PictureFault] = []
        if contains(.flagged) { faults.append(.flagged) }
        if contains(.short) { faults.append(.short) }
        if contains(.repeated) { faults.append(.repeated) }
        if contains(.overwritten) { faults.append(.overwritten) }
        return faults
    }
}
