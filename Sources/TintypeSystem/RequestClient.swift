// SPDX-License-Identifier: Apache-2.0

/// The client whose request the current task works for.
package enum RequestClient {
    /// For example `uid 1000`; nil for work of the daemon itself.
    @TaskLocal package static var current: String?
}
