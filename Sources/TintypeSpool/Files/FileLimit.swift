// SPDX-License-Identifier: Apache-2.0

/// The most bytes that a file of each kind can have; a larger one is none that tintyped wrote, and is not read.
///
/// A sparse file may say that it has terabytes.
package enum FileLimit {
    /// A picture, or a copy of one as `latest.jpg`; no larger one is stored.
    package static let picture = 256 << 20
    /// A thumbnail, which is at most 1,024 pixels wide.
    package static let thumbnail = 16 << 20
    /// The notes beside the catalog, of the clock, and of the kernel.
    package static let note = 64 << 10
    /// A saved profile, of some hundred controls at most.
    package static let profile = 64 << 10
}
