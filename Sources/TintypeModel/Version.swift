// SPDX-License-Identifier: Apache-2.0

/// The version of tintype, the same for the daemon and the command line.
package enum TintypeVersion {
    /// The version of this source, by Semantic Versioning 2.0.0; the newest heading of CHANGELOG.md that has a number,
    /// or the one being worked towards.
    package static let current = "0.1.0"
}
