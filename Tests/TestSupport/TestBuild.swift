// SPDX-License-Identifier: Apache-2.0

/// How the tests were built.
package enum TestBuild {
    #if DEBUG
    /// Whether the code under test is optimised, as users have it: only then do its memory and its speed say anything.
    package static let isOptimized = false
    #else
    /// Whether the code under test is optimised, as users have it: only then do its memory and its speed say anything.
    package static let isOptimized = true
    #endif
}
