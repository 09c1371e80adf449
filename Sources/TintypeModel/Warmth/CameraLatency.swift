// SPDX-License-Identifier: Apache-2.0

package struct CameraLatency: Equatable, Codable, WireObject {
    package var fromOff: Summary?
    package var fromRunning: Summary?
    package var settling: Settling?

    package struct Summary: Equatable, Codable, WireObject {
        package var count: Int
        package var medianMs: Milliseconds
        package var worstMs: Milliseconds

        package init(count: Int, medianMs: Milliseconds, worstMs: Milliseconds) {
            (self.count, self.medianMs, self.worstMs) = (count, medianMs, worstMs)
        }

        package static var schemaName: String? { "LatencySummary" }
        package static let summary = "The newest measurements of one kind."
        package static let fields: [Field] = [
            Field("count", \.count, "The measurements: the newest 64 at most.", ["minimum": 1, "maximum": 64]),
            Field("medianMs", \.medianMs, "The median."),
            Field("worstMs", \.worstMs, "The longest."),
        ]
    }

    package struct Settling: Equatable, Codable, WireObject {
        package var count: Int
        package var medianMs: Milliseconds
        package var worstMs: Milliseconds
        package var medianFrames: Int
        package var worstFrames: Int

        package init(count: Int, medianMs: Milliseconds, worstMs: Milliseconds, medianFrames: Int, worstFrames: Int) {
            (self.count, self.medianMs, self.worstMs) = (count, medianMs, worstMs)
            (self.medianFrames, self.worstFrames) = (medianFrames, worstFrames)
        }

        package static var schemaName: String? { "SettlingSummary" }
        package static let summary = "The newest measurements of settling."
        package static let fields: [Field] = [
            Field("count", \.count, "The number of starts: the newest 64 at most.", ["minimum": 1, "maximum": 64]),
            Field("medianMs", \.medianMs, "The median."),
            Field("worstMs", \.worstMs, "The longest."),
            Field("medianFrames", \.medianFrames, "The median number of frames, the last one included.", .positive),
            Field("worstFrames", \.worstFrames, "The most.", .positive),
        ]
    }

    package init(fromOff: Summary? = nil, fromRunning: Summary? = nil, settling: Settling? = nil) {
        (self.fromOff, self.fromRunning, self.settling) = (fromOff, fromRunning, settling)
    }

    package static let summary = "The time that a picture takes, by the state of the camera when the request arrives."
    package static let fields: [Field] = [
        Field("fromOff", \.fromOff, "From the opening of a closed device to a good frame; missing until measured."),
        Field("fromRunning", \.fromRunning, "From a request (fresh request or next) to its frame while streaming."),
        Field("settling", \.settling, "From the first good frame until exposure and white balance have settled."),
    ]
}
