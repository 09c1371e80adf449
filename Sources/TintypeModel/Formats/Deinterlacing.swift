// SPDX-License-Identifier: Apache-2.0

/// How a picture is made of interlaced video, whose two fields are of two moments.
package enum Deinterlacing: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// The top field alone, each of its rows twice: one moment, half the detail from top to bottom.
    case double
    /// Each row is mixed with its neighbours, 1 : 2 : 1: what moves is there twice and pale.
    case blend
    /// Both fields as they are: all the detail of what stands still, and combs where something moves.
    case weave
}
