// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The folder that the file at this path is in, which need not be there: `/` for what is at the top, and `.` for a name
    /// alone.
    package var enclosingFolder: String {
        guard let slash = lastIndex(of: "/") else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
