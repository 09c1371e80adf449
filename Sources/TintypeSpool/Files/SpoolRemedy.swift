// SPDX-License-Identifier: Apache-2.0

/// Remedies that several failures of a spool have in common.
package enum SpoolRemedy {
    /// The remedy where there is no room left on `place`.
    package static func full(_ place: String) -> String {
        "Let the spool delete old pictures (set retention: of the spool in the configuration; “tintype frames retention” "
            + "shows and applies it), delete some yourself (tintype frames rm), or free space or inodes on \(place)."
    }
}
