// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension PictureTolerance {
    /// As in `missingEnd: its pictures lack their EOI marker; in 120 frames, known since …`.
    var text: String {
        let words =
            switch quirk {
            case .missingEnd: "its pictures lack their EOI marker"
            case .surplusBytes: "its pictures have bytes behind their last block"
            case .decoderWarning: "libturbojpeg warns of its pictures, though every block is there"
            }
        return "\(quirk.rawValue): \(words); in \(frames) frames, known since \(since)"
    }
}
