// SPDX-License-Identifier: Apache-2.0

/// Elements of several clients, taken from each client in turn; those of one client in the order of arrival.
///
/// Generic code of another module is slow unless it is specialised there, which takes `@usableFromInline` beside
/// `@inlinable`: each job of a connection passes one.
@usableFromInline package struct FairQueue<Element> {
    @usableFromInline struct Line {
        /// Nil for the daemon itself.
        @usableFromInline let client: String?
        @usableFromInline var elements: [Element]

        @inlinable init(of client: String?, _ elements: [Element]) { (self.client, self.elements) = (client, elements) }
    }

    /// Each client with elements once, the next one first.
    @usableFromInline var lines: [Line] = []

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { lines.isEmpty }

    @inlinable package mutating func append(_ element: Element, of client: String?) {
        if let index = lines.firstIndex(where: { $0.client == client }) {
            lines[index].elements.append(element)
        } else {
            lines.append(Line(of: client, [element]))
        }
    }

    @inlinable package mutating func popFirst() -> Element? {
        guard !lines.isEmpty else { return nil }
        var line = lines.removeFirst()
        let element = line.elements.removeFirst()
        if !line.elements.isEmpty { lines.append(line) }
        return element
    }

    /// Removes and returns the first element that meets `condition`.
    @inlinable package mutating func remove(where condition: (Element) -> Bool) -> Element? {
        for index in lines.indices {
            guard let place = lines[index].elements.firstIndex(where: condition) else { continue }
            let element = lines[index].elements.remove(at: place)
            if lines[index].elements.isEmpty { lines.remove(at: index) }
            return element
        }
        return nil
    }
}

/// The client whose request the current task works for.
package enum RequestClient {
    /// For example `uid 1000`; nil for work of the daemon itself.
    @TaskLocal package static var current: String?
}
