// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import tintyped

struct CameraTests {
    private func camera(_ overlay: OverlaySettings, at position: GeoPosition? = nil) throws -> Camera {
        let source = Camera.Source.pattern(try PatternSpec("GREY:64x48@50"))
        var configuration = CameraConfiguration(name: "front", source: source, overlay: overlay)
        configuration.session.position = position
        return try camera(configuration)
    }

    private func camera(_ configuration: CameraConfiguration) throws -> Camera {
        let settings = try DaemonSettings.only([configuration])
        return Cameras(settings: settings, spools: Spools(all: []), clock: .system, logger: .quiet).all[0]
    }

    @Test func `passes position and overlay style to the session`() throws {
        let style = OverlayStyle(font: "/a.ttf", percent: 9, corner: .upperRight)
        let berlin = GeoPosition(latitude: 52.5, longitude: 13.4)
        let camera = try camera(OverlaySettings(text: "%F", style: style), at: berlin)
        #expect(camera.session.published.snapshot.configuration.position == berlin)
        #expect(camera.session.published.snapshot.configuration.overlay == style)
        #expect(camera.configuration.overlay.text == "%F")
    }

    @Test func `the camera's overlay text is the default of a request`() throws {
        let camera = try camera(OverlaySettings(text: "%F"))
        for burst in [nil, Burst.count(3, every: .zero)] {
            let request = StillRequest(deadline: .seconds(7), burst: burst, integrity: .tolerant)
            var expected = request
            expected.rendering.overlay = "%F"
            #expect(camera.completed(request) == expected)
            var own = request
            (own.rendering.overlay, own.rendering.quality) = ("Tor", 5)
            #expect(camera.completed(own) == own)
        }
    }

    @Test func `a missing font fails only requests with an overlay`() async throws {
        let camera = try camera(OverlaySettings(style: OverlayStyle(font: "/nowhere/font.ttf")))
        let request = StillRequest(deadline: .patience, rendering: ImageOptions(overlay: "%F"))
        let error = await #expect(throws: Problem.self) { try await camera.output.take(request) }
        #expect(error?.code == .configurationUnsupported)
        #expect(error?.detail.contains("/nowhere/font.ttf") == true)
        #expect(error?.remedy.contains("fonts-dejavu-core") == true)
        _ = try await camera.output.take(StillRequest(deadline: .patience))
        _ = await camera.session.end(within: .patience)
    }

    @Test func `counts failures until a still succeeds`() async throws {
        let outcomes = StillOutcomes(StillMetrics(camera: "front"), clock: .system)
        let gone = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
        for count in 1...3 {
            await #expect(throws: Problem.self) {
                try await outcomes.recordOutcome(of: StillRequest()) { () throws(Problem) -> Int in throw gone }
            }
            #expect(outcomes.failing?.count == count && outcomes.failing?.problem == gone)
        }
        #expect(outcomes.failing?.isLasting == true)
        #expect(try await outcomes.recordOutcome(of: StillRequest()) { () throws(Problem) -> Int in 7 } == 7)
        #expect(outcomes.failing == nil)
    }

    @Test(arguments: [(ProblemCode.deadlineExceeded, 0), (.cameraFault, 3)])
    func `with stall off a deadline without a frame is no failure of the camera`(
        _ code: ProblemCode,
        _ count: Int
    ) async throws {
        var configuration = CameraConfiguration(name: "door", source: .pattern(try PatternSpec("GREY:64x48@50")))
        configuration.session.stall = .off
        let stills = try camera(configuration).stills
        for _ in 1...3 {
            await #expect(throws: Problem.self) {
                try await stills.recordOutcome(of: StillRequest()) { () throws(Problem) -> Int in
                    throw Problem(code, "It came to nothing.", remedy: "Ask again.")
                }
            }
        }
        #expect(stills.failing?.count ?? 0 == count)
    }
}
