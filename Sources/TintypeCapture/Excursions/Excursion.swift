// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Where a session is that interrupts its stream for stills of the largest size.
struct Excursion {
    /// Whether the device is set to its largest size for them.
    var isOut = false
    /// When it was set to that.
    var began = MonotonicTime(nanoseconds: 0)
    /// When the last frame came of the stream that is interrupted; nil where none is.
    var gapBegan: MonotonicTime?
    /// Whether the stream that runs is of the largest size anyway; nil until a client asked.
    var isStreamLargest: Bool?

    /// Others wait for so long at most.
    static let longest = Duration.seconds(30)
}
