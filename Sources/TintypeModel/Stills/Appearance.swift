// SPDX-License-Identifier: Apache-2.0

/// What a picture looks like that is whole and yet may be worth nothing.
package enum Appearance: String, Hashable, Sendable, Codable, CaseIterable {
    /// All of it is as dark as a covered lens makes it.
    case black
    /// All of it has one brightness and one colour.
    case uniform
    /// It equals the picture before it, which no sensor delivers twice.
    case frozen
}
