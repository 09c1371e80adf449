// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension InputChoice {
    /// The number of the input that is meant, of those of the device at `path`, whose names these are.
    ///
    /// Throws ``DeviceError/unsupported(path:reason:)`` where it has no such input.
    package func place(among names: [String], of path: String) throws(DeviceError) -> Int {
        let found: Int? =
            switch self {
            case .index(let index): names.indices.contains(index) ? index : nil
            case .name(let name): names.firstIndex { $0.lowercased() == name.lowercased() }
            }
        if let found { return found }
        guard !names.isEmpty else {
            throw .unsupported(path: path, reason: "the device has no inputs, and \(self) is asked for.")
        }
        let list = names.enumerated().map { "\($0.offset) (\($0.element))" }.joined(separator: ", ")
        throw .unsupported(path: path, reason: "the device has no input \(self), only \(list).")
    }
}
