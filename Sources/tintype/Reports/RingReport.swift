// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The ring of a camera, in a line of its status.
enum RingReport {
    /// As in `150 frames of the last 5 s in 14.2M of 32M bytes, 3 dropped, 3.1 ms to encode each`.
    static func text(_ ring: RingStatus) -> String {
        guard ring.frames > 0 else { return "empty, for \(ring.seconds) s and \(ring.megabytes)M bytes\(costs(ring))" }
        let span = SpokenDuration.text(ring.spanMs.duration)
        return
            "\(ring.frames) frames of the last \(span) in \(HumanBytes.rounded(ring.bytes)) of \(ring.megabytes)M bytes"
            + costs(ring)
    }

    private static func costs(_ ring: RingStatus) -> String {
        let dropped = ring.dropped > 0 ? ", \(ring.dropped) dropped" : ""
        guard ring.encoded > 0 else { return dropped }
        let tenths = Int(ring.encodingMs.duration.millisecondCount * 10 / Double(ring.encoded))
        return dropped + ", \(tenths / 10).\(tenths % 10) ms to encode each"
    }
}
