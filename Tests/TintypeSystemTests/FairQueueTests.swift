// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeSystem

struct FairQueueTests {
    private func drained(_ queue: inout FairQueue<String>) -> [String] {
        var all: [String] = []
        while let next = queue.popFirst() { all.append(next) }
        return all
    }

    @Test func `takes the elements of one client in the order of arrival`() {
        var queue = FairQueue<String>()
        for element in ["1", "2", "3"] { queue.append(element, of: nil) }
        #expect(drained(&queue) == ["1", "2", "3"])
        #expect(queue.isEmpty)
    }

    @Test func `takes the elements of several clients in turn`() {
        var queue = FairQueue<String>()
        for element in ["a1", "a2", "a3"] { queue.append(element, of: "a") }
        for element in ["b1", "b2"] { queue.append(element, of: "b") }
        queue.append("c1", of: nil)
        #expect(drained(&queue) == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test func `an element of a client passes all but the first of each other client`() {
        var queue = FairQueue<String>()
        for number in 1...100 { queue.append("a\(number)", of: "a") }
        for _ in 1...50 { _ = queue.popFirst() }
        queue.append("b1", of: "b")
        #expect(queue.popFirst() == "a51")
        #expect(queue.popFirst() == "b1")
    }

    @Test func `a client with several elements has its turn beside clients that come again at once`() {
        var queue = FairQueue<String>()
        for element in ["a1", "a2", "a3"] { queue.append(element, of: "a") }
        queue.append("b", of: "b")
        queue.append("c", of: "c")
        var taken: [String] = []
        for _ in 1...9 {
            guard let next = queue.popFirst() else { break }
            taken.append(next)
            // As after each reply.
            if ["b", "c"].contains(next) { queue.append(next, of: next) }
        }
        #expect(taken == ["a1", "b", "c", "a2", "b", "c", "a3", "b", "c"])
    }

    @Test func `removes an element that is no longer wanted`() {
        var queue = FairQueue<String>()
        for element in ["a1", "a2"] { queue.append(element, of: "a") }
        #expect(queue.remove { $0 == "a1" } == "a1")
        #expect(queue.remove { $0 == "a1" } == nil)
        #expect(drained(&queue) == ["a2"])
    }
}
