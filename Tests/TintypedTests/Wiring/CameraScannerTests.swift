// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import tintyped

struct CameraScannerTests {
    private let clock = TestClock()
    private let folder = TemporaryFolder()

    @Test func `watched devices are scanned after a change, and once a minute`() async {
        let folders = DeviceFolders(root: folder.path)
        let scanner = CameraScanner(discovery: CameraDiscovery(in: folders, clock: clock), clock: clock)
        /// True if the call waits for the scanner's thread, which is blocked, until its time limit of 500 ms.
        func scans(after change: () -> Void = {}) async -> Bool {
            let (gate, start) = (Gate(), clock.now)
            defer { gate.open() }
            scanner.thread.submit { _ in gate.wait() }
            // Behind the gate, since a change is scanned, too.
            change()
            _ = await scanner.watchedSightings([])
            return clock.now - start >= .milliseconds(500)
        }
        _ = await scanner.sightings([])
        #expect(await scans(), "without a watch")
        scanner.beginsWatch()
        _ = await scanner.sightings([])
        #expect(await !scans())
        #expect(await scans(after: scanner.refresh), "after a change")
        _ = await scanner.sightings([])
        #expect(await !scans())
        try? await clock.sleep(for: CameraScanner.longestUnscanned)
        #expect(await scans(), "after a minute")
        // A camera that the last scan did not find.
        _ = await scanner.sightings([.node(path: "/dev/video0")])
        let (gate, start) = (Gate(), clock.now)
        scanner.thread.submit { _ in gate.wait() }
        _ = await scanner.watchedSightings([.node(path: "/dev/video0")])
        #expect(clock.now - start >= .milliseconds(500))
        gate.open()
    }

    @Test func `a change of devices also shows where links lead now`() async throws {
        let folders = DeviceFolders(root: folder.path)
        let scanner = CameraScanner(discovery: CameraDiscovery(in: folders, clock: clock), clock: clock)
        let link = "\(folder.path)/front"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
        scanner.beginsWatch()
        _ = await scanner.sightings([.node(path: link)])
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/zero")
        scanner.refresh()
        // Behind the scan of the change.
        _ = await scanner.sightings([])
        #expect(await scanner.watchedSightings([]).nodes[link] == "/dev/zero")
    }
}
