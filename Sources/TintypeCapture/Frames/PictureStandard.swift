// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What a frame has to be like to be taken.
package struct PictureStandard: Hashable, Sendable {
    /// How whole it has to be.
    package var integrity: Integrity
    /// What it must not look like.
    package var reject: Set<Appearance> = []

    /// The first of these that a frame looks like; nil where none is.
    func rejection(of appearance: [Appearance]) -> Appearance? { appearance.first(where: reject.contains) }
}
