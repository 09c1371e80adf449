// SPDX-License-Identifier: Apache-2.0
internal import Yams

extension ConfigurationReader {
    /// The document in `text`; nil if it is empty or no YAML, which goes to `faults`.
    static func compose(_ text: String, faults: FaultCollector) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch YamlError.duplicatedKeysInMapping(let names, let context) {
            faults.add(
                context.mark,
                key: nil,
                "\(names.map { "\"\($0)\"" }.joined(separator: ", ")) is there more than once in one mapping.",
                remedy: "Keep one of them; \(oneName.prefix(1).lowercased())\(oneName.dropFirst())"
            )
        } catch YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _)
        {
            let about = context.map { "\($0.text), " } ?? ""
            faults.add(mark, key: nil, "This is not YAML: \(about)\(problem).", remedy: syntaxRemedy)
        } catch {
            faults.add(nil, key: nil, "This is not YAML: \(error).", remedy: syntaxRemedy)
        }
        return nil
    }

    private static let syntaxRemedy = "Indent with spaces, alike in one mapping, and write \"key: value\"."
}
