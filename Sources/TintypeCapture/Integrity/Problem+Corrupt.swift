// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension Problem {
    /// No frame came by the deadline that was whole enough.
    ///
    /// - Parameters:
    ///   - camera: its name.
    ///   - deadline: the time that there was.
    ///   - passedOver: what came, in words.
    ///   - faults: what was wrong with the pictures that were looked at.
    ///   - integrity: how whole they had to be.
    ///   - tolerance: what its pictures always have wrong.
    /// - Returns: the problem, with what was seen by count.
    static func corruptOnly(
        _ camera: String,
        within deadline: Duration,
        _ passedOver: String,
        _ faults: [PictureFault: Int],
        for integrity: Integrity,
        _ tolerance: [PictureTolerance]?
    ) -> Problem {
        let sorted = faults.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        let seen = sorted.map { "\($0.value) \($0.key.rawValue)" }
        let wrong = seen.isEmpty ? "" : "; looked at: \(seen.joined(separator: ", "))"
        let quirks = tolerance?.map(\.quirk.rawValue).joined(separator: ", ")
        let remedy =
            if let quirks, integrity == .strict {
                "Pictures of this camera always have it (\(quirks)): ask for integrity “tolerant”."
            } else if sorted.first?.key == .overwritten {
                "Load v4l2loopback with more buffers (max_buffers=8), or feed it more slowly."
            } else {
                "See the daemon's log for what is wrong with them, and check the camera's cable and USB hub."
            }
        return Problem(
            .corruptOnly,
            "The camera \(camera) gave only damaged pictures within \(SpokenDuration.text(deadline)) "
                + "(\(passedOver)\(wrong)).",
            remedy: remedy,
            retryAfter: .seconds(1)
        )
    }
}
