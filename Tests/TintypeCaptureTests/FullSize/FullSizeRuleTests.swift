// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

struct FullSizeRuleTests {
    private static let began = MonotonicTime(nanoseconds: 10_000_000_000)

    private static func stream(
        isFullSize: Bool = false,
        hasGivenFrame: Bool = true,
        isUsualFullSize: Bool? = nil
    ) -> CaptureStream {
        var stream = CaptureStream(began: began, isFullSize: isFullSize)
        stream.hasGivenFrame = hasGivenFrame
        stream.isUsualFullSize = isUsualFullSize
        return stream
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let stream: CaptureStream
        var demand = FullSizeRule.Demand(awaitsLargest: true, isLargestInDemand: true)
        var allowsGap = true
        var age = Duration.seconds(1)
        let step: FullSizeRule.Step
    }

    @Test(arguments: [
        Case(testDescription: "no client wants it", stream: stream(), demand: FullSizeRule.Demand(), step: .nothing),
        Case(testDescription: "before the first frame", stream: stream(hasGivenFrame: false), step: .nothing),
        Case(testDescription: "not asked yet", stream: stream(), step: .askWhetherUsualIsLargest),
        Case(testDescription: "the usual size is it", stream: stream(isUsualFullSize: true), step: .serveFromStream),
        Case(testDescription: "it is larger", stream: stream(isUsualFullSize: false), step: .interrupt),
        Case(
            testDescription: "the configuration forbids it",
            stream: stream(isUsualFullSize: false),
            allowsGap: false,
            step: .refuse(.forbidden)
        ),
        Case(
            testDescription: "a burst goes on",
            stream: stream(isUsualFullSize: false),
            demand: FullSizeRule.Demand(awaitsLargest: true, isLargestInDemand: true, isInBurst: true),
            step: .refuse(.burst)
        ),
        Case(
            testDescription: "taken, and no further one is wanted",
            stream: stream(isUsualFullSize: false),
            demand: FullSizeRule.Demand(isLargestInDemand: true),
            step: .nothing
        ),
        Case(testDescription: "it streams", stream: stream(isFullSize: true), step: .nothing),
        Case(
            testDescription: "for thirty seconds",
            stream: stream(isFullSize: true),
            age: .seconds(30),
            step: .nothing
        ),
        Case(
            testDescription: "and longer",
            stream: stream(isFullSize: true),
            age: .milliseconds(30_001),
            step: .giveUp
        ),
        Case(
            testDescription: "its picture is being made",
            stream: stream(isFullSize: true),
            demand: FullSizeRule.Demand(isLargestInDemand: true),
            step: .nothing
        ),
        Case(
            testDescription: "all have their picture",
            stream: stream(isFullSize: true),
            demand: FullSizeRule.Demand(),
            age: .seconds(31),
            step: .returnToUsual
        ),
    ])
    func `what is done next about the largest size`(_ item: Case) {
        let step = FullSizeRule.step(
            for: item.stream,
            item.demand,
            allowsGap: item.allowsGap,
            now: Self.began + item.age
        )
        #expect(step == item.step)
    }
}
