// SPDX-License-Identifier: Apache-2.0

/// Build configuration of the tests.
package enum TestBuild {
    #if DEBUG
    /// True if the code under test is optimised as in a release: only then are memory and speed meaningful.
    package static let isOptimized = false
    #else
    /// True if the code under test is optimised as in a release: only then are memory and speed meaningful.
    package static let isOptimized = true
    #endif
}
