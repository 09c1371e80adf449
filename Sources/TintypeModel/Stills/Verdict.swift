// SPDX-License-Identifier: Apache-2.0

/// What was found of how whole a picture is.
package enum Verdict: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// All that can be checked was, and nothing is wrong.
    case intact
    /// Its segments are sound from the first to the last; its entropy-coded data was not decoded.
    case sound
    /// Something is wrong with it that this camera's pictures always have wrong.
    case tolerated
    /// Something is wrong with it; such a picture is only given to a client that asks for ``Integrity/raw``.
    case damaged
}
