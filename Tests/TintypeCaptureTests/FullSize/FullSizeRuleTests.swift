// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeCapture

struct FullSizeRuleTests {
    private static let began = MonotonicTime(nanoseconds: 10_000_000_000)

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
    private static let wanted = CameraNeed(awaitsLargest: true, isLargestInDemand: true)
    private static let taken = CameraNeed(isLargestInDemand: true)
    private static let burst = CameraNeed(awaitsLargest: true, isLargestInDemand: true, isInBurst: true)

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stream: CaptureStream
        let need: CameraNeed
        var allowsGap = true
        var age = Duration.seconds(1)
        let step: FullSizeRule.Step

        init(_ name: String, _ stream: CaptureStream, _ need: CameraNeed, _ step: FullSizeRule.Step) {
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
        Case("no client wants it", stream(), CameraNeed(), .nothing),
        Case("before the first frame", stream(hasGivenFrame: false), wanted, .nothing),
        Case("the usual size is it", stream(isLargest: true), wanted, .nothing),
        Case("it is larger", small, wanted, .interrupt),
        Case("the configuration forbids it", small, wanted, .refuse(.forbidden)).with(allowsGap: false),
        Case("a burst goes on", small, burst, .refuse(.burst)),
        Case("taken, and no further one is wanted", small, taken, .nothing),
        Case("it streams", large, wanted, .nothing),
        Case("for thirty seconds", large, wanted, .nothing).with(age: .seconds(30)),
        Case("and longer", large, wanted, .giveUp).with(age: .milliseconds(30_001)),
        Case("its picture is being made", large, taken, .nothing),
        Case("all have their picture", large, CameraNeed(), .returnToUsual).with(age: .seconds(31)),
    ])
    func `decides the next step for the largest size`(_ item: Case) {
        let now = Self.began + item.age
        let step = FullSizeRule.step(for: item.stream, item.need, allowsGap: item.allowsGap, now: now)
        #expect(step == item.step)
    }
}
