// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Requirements of a protocol, read from its source file.
///
/// This finds new requirements even if an extension provides a default, so that the compiler does not ask for them.
struct ProtocolRequirements {
    /// Functions in the spelling of `#function`.
    let functions: Set<String>
    let properties: Set<String>

    /// Reads the declaration of the protocol `name`; `file` is relative to the repository's `Sources`.
    init(of name: String, in file: String) throws {
        let sources = URL(filePath: #filePath).resolvingSymlinksInPath().appending(path: "../../../../Sources")
        let text = try String(contentsOf: sources.standardized.appending(path: file), encoding: .utf8)
        let lines = text.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("package protocol \(name)") })
        let body = lines[(start + 1)...].prefix { $0 != "}" }
        functions = Set(
            body.compactMap { line in
                line.firstMatch(of: /^    func (\w+)\((.*?)\)/).map { Self.spelling(String($0.1), String($0.2)) }
            }
        )
        properties = Set(body.compactMap { $0.firstMatch(of: /^    var (\w+):/).map { String($0.1) } })
    }

    private static func spelling(_ name: String, _ parameters: String) -> String {
        let labels = parameters.split(separator: ", ").compactMap { $0.split { " :".contains($0) }.first }
        return "\(name)(\(labels.map { "\($0):" }.joined()))"
    }
}
