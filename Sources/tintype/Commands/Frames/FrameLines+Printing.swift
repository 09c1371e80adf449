// SPDX-License-Identifier: Apache-2.0

extension FrameLines {
    /// Lets `body` print frames, and prints what comes behind the last of them, also where `body` throws.
    static func print(
        isJSON: Bool,
        template: FrameTemplate? = nil,
        _ body: (inout FrameLines) async throws -> Void
    ) async throws {
        var lines = FrameLines(isJSON: isJSON, template: template)
        do {
            try await body(&lines)
        } catch {
            try StandardStream.output.write(lines.end(isWhole: false))
            throw error
        }
        try StandardStream.output.write(lines.end())
    }
}
