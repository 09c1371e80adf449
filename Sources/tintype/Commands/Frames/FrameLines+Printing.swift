// SPDX-License-Identifier: Apache-2.0

extension FrameLines {
    /// Lets `body` print frames, and prints what comes behind the last of them, also where `body` throws.
    static func print(
        isJSON: Bool,
        template: FrameTemplate? = nil,
        _ body: (inout FrameLines) async throws -> Void
    ) async throws {
        let output = StandardStream.output
        var lines = FrameLines(
            isJSON: isJSON,
            template: template,
            isTerminal: output.isTerminal,
            width: output.width
        )
        do {
            try await body(&lines)
        } catch {
            try output.write(lines.end(isWhole: false))
            throw error
        }
        try output.write(lines.end())
    }
}
