// SPDX-License-Identifier: Apache-2.0
import Logging
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypePattern

@testable import tintyped

/// The cameras of a daemon, as its API asks for them.
struct CamerasTests {
    @Test(arguments: [nil, Burst.count(2, every: .zero)])
    func `stills that fail are counted in the camera's status, those of a burst, too`(_ burst: Burst?) async throws {
        let settings = try DaemonSettings(
            file: nil,
            socket: nil,
            spool: nil,
            patterns: [PatternSpec("YUYV:64x48@50,busy")],
            workingFolder: "/"
        )
        let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
        let cameras = Cameras(settings: settings, spools: Spools([]), logger: quiet)
        #expect(try await cameras.camera("pattern").failing == nil)
        let request = StillRequest(burst: burst, keep: false)
        for count in 1...3 {
            let problem = await #expect(throws: Problem.self) {
                if burst == nil {
                    _ = try await cameras.still(request, of: "pattern")
                } else {
                    _ = try await cameras.stills(request, of: "pattern", telling: { _ in })
                }
            }
            #expect(problem?.code == .cameraBusy)
            #expect(try await cameras.camera("pattern").failing?.count == count)
        }
        for camera in cameras.all { _ = await camera.session.end(within: .seconds(5)) }
    }
}
