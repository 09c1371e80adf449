// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import TintypeModel

@testable import tintyped

struct EventJournalTests {
    private static let start = Timestamp(microseconds: 1000)

    /// Journal with `count` events, numbered from 1001 and with their index as detail.
    private static func journal(_ count: Int, _ start: Timestamp = start) -> EventJournal {
        let journal = EventJournal(now: start, clock: TestClock())
        for number in 0..<count { journal.append(Event(.healthy, "\(number)")) }
        return journal
    }

    /// All events after `last`.
    private static func all(_ journal: EventJournal, after last: Int) -> [Event] {
        var events: [Event] = []
        while case let more = journal.events(after: events.last?.id ?? last), !more.isEmpty { events += more }
        return events
    }

    @Test func `returns the events after a number`() {
        let journal = Self.journal(3)
        #expect(journal.newest == 1003)
        #expect(journal.events(after: 1000).map(\.id) == [1001, 1002, 1003])
        #expect(journal.events(after: 1002).map(\.detail) == ["2"])
        #expect(journal.events(after: 1003).isEmpty)
        #expect(Self.journal(0).events(after: 1000).isEmpty)
    }

    @Test func `counts the wanted events after a number, of those that are kept`() {
        let journal = Self.journal(EventJournal.capacity + 5)
        let newest = 1005 + EventJournal.capacity
        #expect(journal.count(after: newest) { _ in true }.count == 0)
        #expect(journal.count(after: 1000) { _ in true }.count == EventJournal.capacity)
        let odd = journal.count(after: newest - 4) { $0.id % 2 == 1 }
        let first = journal.entries(after: newest - 4).first { $0.event.id % 2 == 1 }
        #expect(odd.count == 2 && odd.first == first?.moment)
    }

    @Test func `an entry has the time at which it was appended, whatever its event says`() async throws {
        let clock = TestClock()
        let journal = EventJournal(now: Self.start, clock: clock)
        var event = Event(.healthy, "")
        event.at = Timestamp(microseconds: 0)
        let began = clock.now
        journal.append(event)
        try await clock.sleep(for: .seconds(100))
        journal.append(event)
        let moments = journal.entries(after: 1000).map(\.moment)
        #expect(moments.count == 2 && moments[0] > began && moments[0] < began + .seconds(1))
        #expect(moments[1] - moments[0] >= .seconds(100) && moments[1] <= clock.now)
    }

    @Test(arguments: [0, 1, 100, EventJournal.capacity, EventJournal.capacity + 1])
    func `a gap event counts the overwritten events`(extra: Int) {
        let journal = Self.journal(EventJournal.capacity + extra)
        let newest = 1000 + EventJournal.capacity + extra
        let kept = Self.all(journal, after: 1000 + extra)
        #expect(kept.map(\.id) == Array(1001 + extra...newest))
        #expect(kept.map(\.detail) == (extra..<EventJournal.capacity + extra).map { "\($0)" })
        // A client without an event has missed none.
        #expect(Self.all(journal, after: 0) == kept)
        let late = Self.all(journal, after: 1000)
        guard extra > 0 else {
            #expect(late == kept)
            return
        }
        #expect(late.first?.kind == .gap && late.first?.lost == extra && late.first?.id == 1000 + extra)
        #expect(Array(late.dropFirst()) == kept)
    }

    /// A cancelled client removes itself while its task is locked, and signalling it needs that lock: neither may wait
    /// for the other.
    @Test func `cancelling clients during events does not deadlock`() async {
        let journal = Self.journal(0)
        let isOver = Mutex(false)
        Thread.detachNewThread {
            while !isOver.withLock(\.self) { journal.append(Event(.healthy, "")) }
        }
        for _ in 0..<10_000 {
            let client = Task { for await _ in journal.signals() {} }
            await Task.yield()
            client.cancel()
            await client.value
        }
        isOver.withLock { $0 = true }
    }

    @Test func `a client of the previous daemon gets a gap event`() {
        let before = Self.journal(5)
        let after = Self.journal(2, Timestamp(microseconds: 2_000_000))
        #expect(after.newest > before.newest)
        let events = Self.all(after, after: before.newest)
        #expect(events.map(\.kind) == [.gap, .healthy, .healthy])
        #expect(events[0].lost == nil && events[0].id == 2_000_000)
        // Clock of this daemon behind that of the previous one.
        #expect(Self.all(before, after: after.newest).map(\.kind) == [.gap] + Array(repeating: .healthy, count: 5))
    }

    @Test func `signals a client on subscription and on later events`() async {
        let journal = Self.journal(0)
        var signals = journal.signals().makeAsyncIterator()
        await signals.next(isolation: #isolation)
        journal.append(Event(.healthy, "one"))
        journal.append(Event(.healthy, "two"))
        await signals.next(isolation: #isolation)
        #expect(journal.events(after: 1000).count == 2)
    }

    /// Reads until `end`, checks the order, and returns the number of events read and reported lost.
    private static func read(
        _ journal: EventJournal,
        to end: Int,
        comesAgain: Bool,
        _ tell: (_ place: Int) -> Void
    ) async -> (events: Int, lost: Int) {
        var (place, events, lost, isSound) = (1000, 0, 0, true)
        while place < end {
            let before = place
            for await _ in journal.signals() {
                while case let more = journal.events(after: place), let last = more.last {
                    for event in more {
                        if event.kind == .gap {
                            lost += event.lost ?? 0
                            place += event.lost ?? 0
                        } else {
                            isSound = isSound && event.id == place + 1 && event.detail == "\(place - 1000)"
                            place += 1
                            events += 1
                        }
                    }
                    isSound = isSound && place == last.id
                    tell(place)
                }
                // A new subscription is signalled at once, so reconnect only after progress.
                if comesAgain && place > before || place >= end { break }
            }
        }
        #expect(isSound)
        return (events, lost)
    }

    /// Positions of the readers, so that the writer does not overtake them.
    private final class Readers: Sendable {
        private let places = Mutex([Int](repeating: 1000, count: 4))
        private let moves = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

        func move(_ number: Int, to place: Int) {
            places.withLock { $0[number] = place }
            moves.continuation.yield()
        }

        /// Waits until all readers have reached `place`; for one task only.
        func reach(_ place: Int) async {
            var moves = moves.stream.makeAsyncIterator()
            while !places.withLock({ $0.allSatisfy { $0 >= place } }) { await moves.next(isolation: #isolation) }
        }
    }

    @Test func `100,000 events reach every client once and in order`() async {
        let journal = Self.journal(0)
        let count = 100_000
        let readers = Readers()
        await withTaskGroup(of: (events: Int, lost: Int).self) { group in
            for number in 0..<4 {
                group.addTask {
                    await Self.read(journal, to: 1000 + count, comesAgain: number % 2 == 0) { place in
                        readers.move(number, to: place)
                    }
                }
            }
            group.addTask {
                for number in 0..<count {
                    journal.append(Event(.healthy, "\(number)"))
                    if number % 100 == 99 { await readers.reach(1000 + number - EventJournal.capacity / 2) }
                }
                return (count, 0)
            }
            for await (events, lost) in group { #expect(events == count && lost == 0) }
        }
    }
}
