// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel

@testable import tintyped

struct CancellationSignalTests {
    private let clock = TestClock()

    @Test(arguments: [(Duration.milliseconds(50), true), (.seconds(5), false)])
    func `a reload waits for a camera's schedules unless they hang`(
        duration: Duration,
        isAwaited: Bool
    ) async throws {
        let source = Camera.Source.pattern(try PatternSpec("GREY:64x48@50"))
        var door = CameraConfiguration(name: "door", source: source)
        let cameras = Cameras(settings: try .only([door]), spools: Spools(all: []), clock: clock, logger: .quiet)
        let hasBegun = Mutex(false)
        let hasEnded = Mutex(false)
        let cancellation = try await cameras.find("door").cancellation
        async let work: Void = cancellation.runUntilCancelled([
            {
                hasBegun.withLock { $0 = true }
                try? await TestClock().sleep(for: .seconds(86_400))
                // An unstructured task is not cancelled.
                await Task { try? await TestClock().sleep(for: duration) }.value
                hasEnded.withLock { $0 = true }
            }
        ])
        #expect(await clock.reaches { hasBegun.withLock { $0 } })
        door.session.quality = 33
        #expect(await cameras.apply(try .only([door])).changed == ["door"])
        #expect(hasEnded.withLock { $0 } == isAwaited)
        await work
        for camera in cameras.all { #expect(await camera.session.end(within: .patience)) }
    }

    @Test func `does not start work after cancellation`() async {
        let cancellation = CancellationSignal()
        let hasBegun = Mutex(false)
        cancellation.cancel()
        await cancellation.runUntilCancelled([{ hasBegun.withLock { $0 = true } }])
        #expect(hasBegun.withLock { !$0 })
    }
}
