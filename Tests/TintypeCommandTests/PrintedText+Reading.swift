// SPDX-License-Identifier: Apache-2.0
@testable internal import tintype

extension PrintedText {
    var isEmpty: Bool { string.isEmpty }
    func contains(_ part: String) -> Bool { string.contains(part) }
    func hasPrefix(_ part: String) -> Bool { string.hasPrefix(part) }
    func hasSuffix(_ part: String) -> Bool { string.hasSuffix(part) }
    func split(separator: Character) -> [Substring] { string.split(separator: separator) }
}
