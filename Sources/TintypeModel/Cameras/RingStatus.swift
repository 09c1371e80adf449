// SPDX-License-Identifier: Apache-2.0

package struct RingStatus: Equatable, Codable, WireObject {
    package var seconds: Int
    package var megabytes: Int
    package var frames = 0
    package var bytes = 0
    package var spanMs = Milliseconds(.zero)
    package var dropped: UInt64 = 0
    package var encoded: UInt64 = 0
    package var encodingMs = Milliseconds(.zero)

    package static let summary = "The ring of a camera and its costs; missing if it has none."
    package static let fields: [Field] = [
        Field("seconds", \.seconds, "The configured length of the ring, in seconds.", .positive),
        Field("megabytes", \.megabytes, "The largest amount of memory that it may take, in MiB.", .positive),
        Field("frames", \.frames, "The frames in it.", .notNegative),
        Field("bytes", \.bytes, "The memory that they take.", .notNegative),
        Field("spanMs", \.spanMs, "From the exposure of its oldest frame to that of its newest."),
        Field("dropped", \.dropped, "Frames missing in it since the daemon started: encoder too slow, or damaged."),
        Field("encoded", \.encoded, "Frames encoded for it since the daemon started; 0 if the camera delivers JPEG."),
        Field("encodingMs", \.encodingMs, "The total time of the encoding threads for these frames."),
    ]
}

extension RingStatus {
    package init(seconds: Int, megabytes: Int) {
        self.seconds = seconds
        self.megabytes = megabytes
    }
}
