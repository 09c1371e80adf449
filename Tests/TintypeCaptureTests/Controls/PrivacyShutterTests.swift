// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct PrivacyShutterTests {
    /// An event of the shutter at a time in milliseconds.
    enum Step: Sendable {
        case closes(Int)
        case opens(Int)
        case isForgotten
        case isAsked(Int)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [Step]
        let isClosed: Bool
        /// Results of the steps that report the shutter: true for a change.
        let news: [Bool]
        /// End of the time behind the shutter; nil if it was never closed.
        let opened: Int?

        init(_ name: String, _ steps: [Step], isClosed: Bool = false, news: [Bool] = [], opened: Int? = nil) {
            (testDescription, self.steps, self.isClosed, self.news, self.opened) = (name, steps, isClosed, news, opened)
        }
    }

    private static func moment(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 10_000_000_000) + .milliseconds(milliseconds)
    }

    @Test(arguments: [
        Case("never told of", []), Case("open from the start", [.opens(1)], news: [false]),
        Case("closed", [.closes(1)], isClosed: true, news: [true], opened: 1),
        Case("closed, and told twice", [.closes(1), .closes(5)], isClosed: true, news: [true, false], opened: 1),
        Case("opened", [.closes(1), .opens(5)], news: [true, true], opened: 5),
        Case("opened, and told twice", [.closes(1), .opens(5), .opens(9)], news: [true, true, false], opened: 5),
        Case(
            "closed again",
            [.closes(1), .opens(5), .closes(9)],
            isClosed: true,
            news: [true, true, true],
            opened: 9
        ),
        Case(
            "a camera without one in place of one that was closed",
            [.closes(1), .isForgotten],
            news: [true],
            opened: 1
        ),
        Case(
            "closed again after that",
            [.closes(1), .isForgotten, .closes(9)],
            isClosed: true,
            news: [true, true],
            opened: 9
        ), Case("a question alone", [.isAsked(1)]),
    ])
    func `tracks the shutter state and the frames behind it`(_ item: Case) {
        var shutter = PrivacyShutter()
        var news: [Bool] = []
        for step in item.steps {
            switch step {
            case .closes(let time): news.append(shutter.set(closed: true, now: Self.moment(time)))
            case .opens(let time): news.append(shutter.set(closed: false, now: Self.moment(time)))
            case .isForgotten: shutter.forget()
            case .isAsked(let time): shutter.ask(now: Self.moment(time))
            }
        }
        #expect(shutter.isClosed == item.isClosed)
        #expect(news == item.news)
        // Frames of a camera whose shutter was never closed count regardless of exposure time.
        #expect(shutter.opened == item.opened.map(Self.moment) ?? MonotonicTime(nanoseconds: .min))
    }

    @Test(
        arguments: [(nil, 0, true), (0, 0, false), (0, 999, false), (0, 1000, true), (0, 5000, true)]
            as [(Int?, Int, Bool)]
    )
    func `the shutter is polled once a second`(_ asked: Int?, _ now: Int, _ isDue: Bool) {
        var shutter = PrivacyShutter()
        if let asked { shutter.ask(now: Self.moment(asked)) }
        #expect(shutter.isToBeAsked(now: Self.moment(now)) == isDue)
    }
}
