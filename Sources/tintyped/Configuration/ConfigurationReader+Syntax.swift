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
                "\(names.map { "\"\($0)\"" }.joined(separator: ", ")) appears more than once in one mapping.",
                remedy: "Keep one of them; \(oneName.prefix(1).lowercased())\(oneName.dropFirst())"
            )
        } catch YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _)
        {
            if let tab = firstIndentingTab(in: text) {
                let remedy = "Indent with spaces."
                faults.add(at: tab, key: nil, "YAML does not allow tabs for indentation.", remedy: remedy)
                return nil
            }
            let about = context.map { "\($0.text), " } ?? ""
            faults.add(mark, key: nil, "This is not YAML: \(about)\(problem).", remedy: syntaxRemedy)
        } catch {
            faults.add(nil, key: nil, "This is not YAML: \(error).", remedy: syntaxRemedy)
        }
        return nil
    }

    /// Where a line is indented with a tab first; nil where none is.
    private static func firstIndentingTab(in text: String) -> ConfigurationFault.Place? {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let indentation = line.prefix { $0 == " " || $0 == "\t" }
            guard let tab = indentation.firstIndex(of: "\t"), indentation.count < line.count else { continue }
            let column = line.distance(from: line.startIndex, to: tab) + 1
            return ConfigurationFault.Place(line: index + 1, column: column)
        }
        return nil
    }

    private static let syntaxRemedy = "Indent with spaces, alike in one mapping, and write \"key: value\"."
}
