// SPDX-License-Identifier: Apache-2.0

/// Elements of several clients, taken in turn: the first of each client, then the second of each, and so on; those of
/// one client in the order of arrival.
///
/// `@inlinable`, since generic code of another module is slow otherwise: each connection's job passes one.
package struct FairQueue<Element> {
    @usableFromInline
    struct Entry {
        @usableFromInline let element: Element
        /// Nil for the daemon itself.
        @usableFromInline let client: String?
        /// Higher by 1 than that of the client's element before.
        @usableFromInline let round: UInt64

        @inlinable
        init(_ element: Element, of client: String?, round: UInt64) {
            (self.element, self.client, self.round) = (element, client, round)
        }
    }

    /// In ascending order of their rounds.
    @usableFromInline var entries: [Entry] = []
    /// Round of the element taken last, which is that of a client without elements.
    @usableFromInline var round: UInt64 = 0

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { entries.isEmpty }

    @inlinable
    package mutating func append(_ element: Element, of client: String?) {
        let round = entries.last { $0.client == client }.map { $0.round + 1 } ?? round
        let index = entries.lastIndex { $0.round <= round }.map { $0 + 1 } ?? 0
        entries.insert(Entry(element, of: client, round: round), at: index)
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard let first = entries.first else { return nil }
        round = first.round
        return entries.removeFirst().element
    }

    /// Removes and returns the first element that meets `condition`.
    @inlinable
    package mutating func remove(where condition: (Element) -> Bool) -> Element? {
        entries.firstIndex { condition($0.element) }.map { entries.remove(at: $0).element }
    }
}

/// The client whose request the current task works for.
package enum RequestClient {
    /// For example `uid 1000`; nil for work of the daemon itself.
    @TaskLocal package static var current: String?
}
