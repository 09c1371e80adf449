// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice

/// Frames in a row that become one picture, while not all of them have come.
struct FrameSeries {
    /// What the encoding threads add them up in.
    let average: FrameAverage
    /// How many have come that have not turned out damaged.
    var taken = 1
    /// The last of them.
    var newest: FrameKey
}
