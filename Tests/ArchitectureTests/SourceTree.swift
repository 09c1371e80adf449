// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Directory of targets such as `Sources`, with the rules checked on its files.
struct SourceTree {
    struct SourceFile {
        let target: String
        /// Path relative to the root of the tree.
        let path: String
        let lines: [String]

        var imports: [String] {
            // Regex matching is slow: it runs only on the few lines with an import.
            lines.filter { $0.contains("import ") }.compactMap { line in
                let keyword = /^(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|fileprivate|private) +)?import +/
                guard let match = line.prefixMatch(of: keyword) else { return nil }
                let words = line[match.range.upperBound...].split(whereSeparator: { " .".contains($0) }).map(
                    String.init
                )
                let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
                return words.first { !kinds.contains($0) }
            }
        }
    }

    let files: [SourceFile]

    /// Reads every Swift file below `root`; the first component of its path is its target.
    init(_ root: URL) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        files = try paths.sorted().map { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            return SourceFile(
                target: String(path.prefix { $0 != "/" }),
                path: path,
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            )
        }
    }

    /// One sentence for each breach of the rules.
    var breaches: [String] { files.flatMap { importBreaches($0) + textBreaches($0) } }

    private func importBreaches(_ file: SourceFile) -> [String] {
        guard let allowed = DependencyRule.allowed[file.target] else {
            return ["\(file.path): the target \(file.target) is not in the dependency rule."]
        }
        return file.imports
            .filter { !allowed.contains($0) && !DependencyRule.common.contains($0) }
            .map { "\(file.path): \(file.target) may not import \($0)." }
    }

    private func textBreaches(_ file: SourceFile) -> [String] {
        var breaches: [String] = []
        if file.lines.first != "// SPDX-License-Identifier: Apache-2.0" {
            breaches.append("\(file.path): the first line does not name the licence.")
        }
        // The last line ends with a newline.
        let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
        if count > DependencyRule.longestFile {
            breaches.append("\(file.path): \(count) lines, at most \(DependencyRule.longestFile) are allowed.")
        }
        for (index, line) in file.lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
            for escape in DependencyRule.escapes where line.contains(escape) {
                breaches.append("\(file.path):\(index + 1): \(escape) is not used in this project.")
            }
        }
        return breaches
    }
}
