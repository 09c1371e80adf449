// SPDX-License-Identifier: Apache-2.0
internal import Yams

extension ConfigurationReader {
    /// A name and what stands below it.
    struct Entry {
        /// The name; what kind of value it is in words, if it is no single value.
        var name: String { key.string ?? key.kind }
        let key: Node
        let value: Node
    }

    /// The entries of the mapping `node`, in its order; none where there is no value, or another, which is a fault.
    ///
    /// A name that is there already, written otherwise, is a fault too, as 1 and "1".
    ///
    /// `remedy` says what to give, as a sentence.
    static func entries(_ node: Node?, at path: String, remedy: String, faults: FaultCollector) -> [Entry] {
        guard let node, node.yamlType != .null else { return [] }
        guard case .mapping(let mapping) = node else {
            faults.add(node.mark, key: path, "The value is \(node.kind).", remedy: remedy)
            return []
        }
        var entries: [Entry] = []
        for (key, value) in mapping {
            let entry = Entry(key: key, value: value)
            if entries.contains(where: { $0.name == entry.name }) {
                faults.add(key.mark, key: "\(path).\(entry.name)", "This name is used above.", remedy: oneName)
            } else {
                entries.append(entry)
            }
        }
        return entries
    }

    /// The remedy for two of one name.
    static let oneName = "Give each a name of its own."
}
