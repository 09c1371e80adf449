// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct SessionRuleTests {
    private static let began = MonotonicTime(nanoseconds: 10_000_000_000)
    private static let interruption = Interruption(
        reason: Problem(.deviceLost, "It is gone.", remedy: "Plug it in."),
        since: Timestamp(microseconds: 1),
        nextAttempt: began + .seconds(1),
        earliest: began + .milliseconds(100)
    )

    private static func rule(
        _ phase: Phase,
        _ need: CameraNeed = CameraNeed(),
        use: CameraUse = CameraUse(),
        warmth: Warmth = .linger(.seconds(10)),
        allowsGap: Bool = true,
        lastUse: Duration = .zero,
        after age: Duration
    ) -> SessionRule {
        SessionRule(
            phase: phase,
            use: use,
            warmth: warmth,
            allowsGap: allowsGap,
            need: need,
            lastUse: began + lastUse,
            now: began + age
        )
    }

    @Test func `a waiting client advances the next attempt to its earliest time`() {
        let waiting = CameraNeed(isAwaited: true)
        let urgent = CameraNeed(isAwaited: true, isUrgent: true, isInDemand: true)
        for phase in [Phase.interrupted(Self.interruption), .failed(Self.interruption)] {
            #expect(Self.rule(phase, waiting, after: .seconds(1) - .nanoseconds(1)).step == nil)
            #expect(Self.rule(phase, waiting, after: .seconds(1)).step == .open)
            #expect(Self.rule(phase, urgent, after: .milliseconds(99)).step == nil)
            #expect(Self.rule(phase, urgent, after: .milliseconds(100)).step == .open)
        }
        #expect(Self.rule(.off, waiting, after: .zero).step == .open)
        // A changed source is reopened at its time, regardless of clients.
        let reopening = Phase.reopening(at: Self.began)
        #expect(Self.rule(reopening, urgent, after: .zero - .nanoseconds(1)).step == nil)
        #expect(Self.rule(reopening, after: .zero).step == .reopen)
        for phase in [Phase.opening, .streaming(CaptureStream(began: Self.began)), .ended] {
            #expect(Self.rule(phase, urgent, after: .seconds(100)).step == nil)
        }
    }

    @Test func `an unused camera is closed at the end of its linger time, and not retried`() {
        let stream = Phase.streaming(CaptureStream(began: Self.began))
        let end = Duration.seconds(12)
        #expect(Self.rule(stream, lastUse: .seconds(2), after: end - .nanoseconds(1)).step == nil)
        #expect(Self.rule(stream, lastUse: .seconds(2), after: .zero).nextWake == Self.began + end)
        #expect(Self.rule(stream, lastUse: .seconds(2), after: end).step == .close)
        #expect(Self.rule(stream, CameraNeed(isInDemand: true), lastUse: .seconds(2), after: end).step == nil)
        #expect(Self.rule(stream, warmth: .hot, after: .seconds(1000)).step == nil)
        #expect(Self.rule(.reopening(at: Self.began), lastUse: .seconds(2), after: end).step == .giveUp)
        #expect(Self.rule(.interrupted(Self.interruption), after: .zero).step == .giveUp)
        #expect(Self.rule(.failed(Self.interruption), after: .seconds(1000)).step == nil)
    }

    @Test func `a start or a hold keeps the camera open through its linger time and retries it`() {
        var started = CameraUse()
        started.isStarted = true
        var held = CameraUse()
        _ = held.holds.hold("door", until: Self.began + .seconds(100))
        for use in [started, held] {
            let stream = Phase.streaming(CaptureStream(began: Self.began))
            #expect(Self.rule(stream, use: use, after: .seconds(50)).step == nil)
            #expect(Self.rule(.interrupted(Self.interruption), use: use, after: .zero).step == nil)
            #expect(Self.rule(.interrupted(Self.interruption), use: use, after: .seconds(1)).step == .open)
            let next = Self.rule(.interrupted(Self.interruption), use: use, after: .zero).nextWake
            #expect(next == Self.interruption.nextAttempt)
        }
        #expect(Self.rule(.off, CameraNeed(isAwaited: true), after: .zero).nextWake == Self.began)
        #expect(Self.rule(.reopening(at: Self.began + .seconds(3)), after: .zero).nextWake == Self.began + .seconds(3))
    }

    // MARK: - Full-size stills

    private static func stream(
        isFullSize: Bool = false,
        hasGivenFrame: Bool = true,
        isLargest: Bool = false
    ) -> CaptureStream {
        var stream = CaptureStream(began: began, isLargest: isLargest, isFullSize: isFullSize)
        stream.hasGivenFrame = hasGivenFrame
        return stream
    }

    private static let large = stream(isFullSize: true)
    private static let small = stream()
    private static let wanted = CameraNeed(isInDemand: true, awaitsLargest: true, isLargestInDemand: true)
    private static let taken = CameraNeed(isInDemand: true, isLargestInDemand: true)
    private static let burst = CameraNeed(
        isInDemand: true,
        awaitsLargest: true,
        isLargestInDemand: true,
        isInBurst: true
    )

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stream: CaptureStream
        let need: CameraNeed
        var allowsGap = true
        var age = Duration.seconds(1)
        let step: SessionRule.Step?

        init(_ name: String, _ stream: CaptureStream, _ need: CameraNeed, _ step: SessionRule.Step?) {
            (testDescription, self.stream, self.need, self.step) = (name, stream, need, step)
        }

        /// A copy with another setting for gaps or age of the stream.
        func with(allowsGap: Bool = true, age: Duration = .seconds(1)) -> Case {
            var item = self
            (item.allowsGap, item.age) = (allowsGap, age)
            return item
        }
    }

    @Test(arguments: [
        Case("no client wants it", stream(), CameraNeed(isInDemand: true), nil),
        Case("before the first frame", stream(hasGivenFrame: false), wanted, nil),
        Case("the usual size is it", stream(isLargest: true), wanted, nil),
        Case("it is larger", small, wanted, .interruptForLargest),
        Case("the configuration forbids it", small, wanted, .refuseLargest(.forbidden)).with(allowsGap: false),
        Case("a burst is being taken", small, burst, .refuseLargest(.burst)),
        Case("taken, and no further one is wanted", small, taken, nil), Case("it streams", large, wanted, nil),
        Case("for nearly thirty seconds", large, wanted, nil).with(age: .milliseconds(29_999)),
        Case("and longer", large, wanted, .returnToUsual(.tookTooLong)).with(age: .seconds(30)),
        Case("its picture is being made", large, taken, nil),
        Case("all have their picture", large, CameraNeed(), .returnToUsual(nil)).with(age: .seconds(31)),
    ])
    func `decides the next step for the largest size`(_ item: Case) {
        let phase = Phase.streaming(item.stream)
        #expect(Self.rule(phase, item.need, allowsGap: item.allowsGap, after: item.age).step == item.step)
    }

    @Test func `a closed camera is opened at its largest size unless that would interrupt its stream`() {
        let alone = CameraNeed(isAwaited: true, awaitsLargest: true)
        let both = CameraNeed(isAwaited: true, awaitsUsual: true, awaitsLargest: true)
        func step(_ need: CameraNeed, _ warmth: Warmth, allowsGap: Bool) -> SessionRule.Step? {
            Self.rule(.off, need, warmth: warmth, allowsGap: allowsGap, after: .zero).step
        }
        #expect(step(alone, .cold, allowsGap: true) == .openAtLargest(othersWait: false))
        #expect(step(both, .cold, allowsGap: true) == .openAtLargest(othersWait: true))
        #expect(step(alone, .cold, allowsGap: false) == .openAtLargest(othersWait: false))
        #expect(step(both, .cold, allowsGap: false) == .open)
        #expect(step(alone, .hot, allowsGap: false) == .open)
    }
}
