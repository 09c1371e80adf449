// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

// What libjpeg warns of or refuses in the headers of a baseline picture, and what it takes for other colours than Y'CbCr
// (libjpeg-turbo 2.1.5: jdmarker.c, jdapimin.c, jdinput.c; for the sampling turbojpeg.c). Pictures that have any of it are
// left to its own judgment.

extension JPEGSegment {
    /// Whether libjpeg passes over the segment, or reads it as every program does; of one that is no table and no header
    /// of a frame or a scan.
    func isPlain(in bytes: RawSpan) -> Bool {
        switch marker {
        case .application0:
            // JFIF of another major version than 1.
            body.count < 14 || !begins(with: "JFIF\0", in: bytes) || bytes.byte(at: body.lowerBound + 5) == 1
        case .application14:
            // Colours of another kind than Y'CbCr.
            body.count < 12 || !begins(with: "Adobe", in: bytes) || bytes.byte(at: body.lowerBound + 11) == 1
        default: marker.isPassedOver || marker.standsAlone
        }
    }
}

extension JPEGHeader {
    /// Whether libturbojpeg takes it for a grey or Y'CbCr picture whose sampling it knows.
    var isPlain: Bool {
        guard let sampling, max(size.width, size.height) <= Self.longestSide else { return false }
        guard sampling != .grey else { return true }
        let names = components.map(\.id)
        // It knows other factors for the same sampling only of 4:2:2 and 4:4:0.
        let isNamed = components[1].blocks == 1 || components[0].blocks == 4
        return isNamed && Set(names).count == names.count && names != Array("RGB".utf8)
    }

    /// `JPEG_MAX_DIMENSION`.
    private static let longestSide = 65_500
}
