// SPDX-License-Identifier: Apache-2.0

/// Whether a picture shows anything.
package struct Emptiness: Hashable, Sendable {
    /// Whether all of it is as dark as a covered lens makes it.
    package var isBlack: Bool
    /// Whether all of it has one brightness and one colour.
    package var isUniform: Bool

    /// An answer of these parts.
    package init(isBlack: Bool, isUniform: Bool) {
        self.isBlack = isBlack
        self.isUniform = isUniform
    }
}

extension FrameStatistics {
    /// Whether the frame shows anything.
    package var emptiness: Emptiness { Emptiness(isBlack: isBlack, isUniform: isUniform) }
}

extension JPEGDecoder {
    /// Whether a picture shows anything; of most pictures only the beginning is decoded.
    ///
    /// - Throws: as ``statistics(of:)``.
    package mutating func emptiness(of jpeg: RawSpan) throws(ImagingError) -> Emptiness {
        if showsSomething(atBeginningOf: jpeg) { return Emptiness(isBlack: false, isUniform: false) }
        return try statistics(of: jpeg).emptiness
    }

    /// The same of a picture that is at hand as an array.
    package mutating func emptiness(of jpeg: [UInt8]) throws(ImagingError) -> Emptiness {
        try unsafe emptiness(of: jpeg.span.bytes)
    }
}
