// SPDX-License-Identifier: Apache-2.0

/// How long a camera's first frame may take after its stream has begun: longer after each stream that gave none, and twice
/// what it took where one has come.
struct FirstFrameLimit {
    private static let least = Duration.seconds(2)
    private static let most = Duration.seconds(15)

    /// 2 to 15 s.
    private(set) var limit = Self.least

    /// A stream was ended that had given no frame within the limit.
    mutating func grow() { limit = min(limit * 2, Self.most) }

    /// The first good frame has come, so long after the camera was to be opened.
    mutating func learn(_ time: Duration) { limit = max(Self.least, min(time * 2, Self.most)) }
}
