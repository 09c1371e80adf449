// SPDX-License-Identifier: Apache-2.0

package enum TintypeVersion {
    /// Semantic Versioning 2.0.0: the newest numbered heading of CHANGELOG.md, or the next release.
    package static let current = "0.1.0"
}
