// SPDX-License-Identifier: Apache-2.0

/// How far a comparison of folder and catalog is: first the files are looked through, then the rows.
package struct VerificationProgress: Hashable, Sendable, Codable {
    package var files: Int
    package var frames: Int
    package var of: Int

    /// The progress of a comparison that has done so much.
    package init(files: Int = 0, frames: Int = 0, of: Int = 0) {
        self.files = files
        self.frames = frames
        self.of = of
    }
}

extension VerificationProgress: WireObject {
    package static let summary = """
        The progress of a running comparison of folder and catalog, after the start or by command: first the files \
        are examined, then the rows. Of several, the one that began last; missing if none is running.
        """

    package static let fields: [Field] = [
        Field("files", \.files, "Files that were examined.", .notNegative),
        Field("frames", \.frames, "Rows that were compared with their files.", .notNegative),
        Field("of", \.of, "The number of all rows; 0 until it is known.", .notNegative),
    ]
}
