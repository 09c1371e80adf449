// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Parent folder of a path, which need not exist: `/` at the top level, `.` for a plain name.
    package var enclosingFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
