// SPDX-License-Identifier: Apache-2.0

/// The names that cameras have in the configuration, in the API and as folders of the spool.
package enum CameraName {
    /// Whether `name` is 1 to 64 of `a-z`, `0-9`, `.`, `_` and `-`, the first a letter or a digit.
    package static func isValid(_ name: String) -> Bool {
        name.wholeMatch(of: /[a-z0-9][a-z0-9._-]{0,63}/) != nil
    }
}
