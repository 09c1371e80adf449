// SPDX-License-Identifier: Apache-2.0

package struct StreamStatus: Equatable, Codable, WireObject {
    package var id: UInt64
    package var since: Timestamp
    package var rate: Double?
    package var width: Int?
    package var quality: Int?
    package var sent: UInt64 = 0
    package var framesPerSecond: Double?
    package var dropped: UInt64 = 0
    package var bytes: UInt64 = 0

    package init(id: UInt64, since: Timestamp, _ request: StreamRequest) {
        (self.id, self.since) = (id, since)
        rate = request.rate
        width = request.picture.rendering.width
        quality = request.picture.rendering.quality
    }

    package static let summary = "A client of a camera's stream."
    package static let fields: [Field] = [
        Field("id", \.id, "The number of the stream since the daemon started."),
        Field("since", \.since, "The beginning of the stream."),
        Field("rate", \.rate, "The most pictures a second that it asked for; missing for every frame."),
        Field("width", \.width, "The greatest width that it asked for; missing for any."),
        Field("quality", \.quality, "The JPEG quality that it asked for; missing for that of the camera."),
        Field("sent", \.sent, "Pictures sent to it."),
        Field("framesPerSecond", \.framesPerSecond, "Its current picture rate; missing in the first second."),
        Field("dropped", \.dropped, "Due pictures not sent: it had not read the one before, or they were damaged."),
        Field("bytes", \.bytes, "The bytes of the pictures sent to it."),
    ]
}
