// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Logging
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import TintypeCapture

/// Suites of whole sessions, run serially because they measure time and load the machine.
@Suite(.serialized) struct SessionTests {}

extension SessionTests {
    struct CaptureSessionTests {
        @Test func `an idle session opens no device`() async throws {
            try await Stage.run("YUYV:256x64@100") { stage in
                // An answered command proves that the session has completed its first steps.
                let report = try await stage.session.apply(SessionConfiguration(warmth: .cold))
                #expect(report.granted == nil)
                #expect(stage.log.openings == 0)
                #expect(stage.session.status.state == .off)
            }
        }

        @Test func `frame ages are never negative`() async throws {
            for fault in ["", ",undated", ",end-of-frame"] {
                try await Stage.run("YUYV:256x64@200\(fault)", warmth: .hot) { stage in
                    var seen = 0
                    let hasSeenEnough = await TestClock().reaches {
                        guard let age = stage.session.status.lastFrameAgeMs else { return false }
                        #expect(age.duration >= .zero)
                        seen += 1
                        return seen == 100
                    }
                    #expect(hasSeenEnough)
                }
            }
        }

        @Test func `a lingering camera closes after its linger time`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .linger(.milliseconds(200))) { stage in
                let start = TestClock().now
                _ = try await stage.take()
                #expect(await TestClock().reaches { stage.session.status.state == .off && stage.log.open == 0 })
                #expect(TestClock().now - start >= .milliseconds(200))
                #expect(stage.session.status.lastFrameAgeMs == nil)
                _ = try await stage.take()
                #expect(stage.log.openings == 2)
            }
        }

        @Test func `a cold camera closes after each use`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .cold) { stage in
                for opening in 1...3 {
                    _ = try await stage.take()
                    #expect(await TestClock().reaches { stage.session.status.state == .off && stage.log.open == 0 })
                    #expect(stage.log.openings == opening)
                }
                #expect(stage.counters.opened == 3)
            }
        }

        @Test func `start keeps a cold camera open until stop`() async throws {
            try await Stage.run("NV12:256x64@100", warmth: .cold) { stage in
                let format = try await stage.session.start()
                #expect(format.pixelFormat == .nv12)
                #expect(await TestClock().reaches { stage.counters.captured >= 20 })
                _ = try await stage.take()
                #expect(stage.log.openings == 1)
                try await stage.session.stop()
                #expect(stage.session.status.state == .off)
                #expect(stage.log.open == 0)
            }
        }

        @Test func `a stopped hot camera stays closed until the next request`() async throws {
            try await Stage.run("YUYV:256x64@100", warmth: .hot) { stage in
                #expect(await stage.session.reaches(.running))
                try await stage.session.stop()
                // Two more answered commands prove that the session has run through its steps twice.
                for _ in 0..<2 {
                    #expect(try await stage.session.apply(SessionConfiguration(warmth: .hot)).revision == 1)
                    #expect(stage.session.status.state == .off)
                    #expect(stage.log.open == 0)
                }
                _ = try await stage.take()
                #expect(await stage.session.reaches(.running))
                #expect(stage.log.openings == 2)
            }
        }

        @Test func `a failed start reports its reason and closes the device`() async throws {
            try await Stage.run("YUYV:256x64@100,busy", warmth: .cold) { stage in
                #expect(await failure { try await stage.session.start() }?.code == .cameraBusy)
                #expect(stage.log.open == 0)
                #expect(await stage.session.reaches(.failed))
                #expect(stage.session.status.state.reason?.code == .cameraBusy)
            }
        }

        @Test func `listing formats does not keep the camera open`() async throws {
            try await Stage.run("GREY:256x64@100", warmth: .cold) { stage in
                let formats = try await stage.session.formats()
                #expect(formats.map(\.pixelFormat) == [.grey])
                #expect(stage.log.open == 0)
                #expect(stage.session.status.state == .off)
            }
        }

        @Test func `rolls back a configuration that cannot start streaming`() async throws {
            try await Stage.run("YUYV:256x64@2", "YUYV:256x64@100,busy", "YUYV:256x64@100") { stage in
                _ = try await stage.session.start()
                let waiting = Task { try await stage.take() }
                #expect(await TestClock().reaches { stage.session.dispatcher.need.isInDemand })
                let wish = SessionConfiguration(format: FormatWish(size: .near(FrameSize(width: 64, height: 64))))
                #expect(await failure { try await stage.session.apply(wish) }?.code == .cameraBusy)
                #expect(stage.log.openings == 3)
                _ = try await waiting.value
                #expect(await stage.session.reaches(.running))
            }
        }

        @Test func `an unreferenced session ends its thread`() async {
            weak var session: CaptureSession?
            // The thread keeps the opener, and with it this log, until it ends.
            weak var held: DeviceLog?
            do {
                let log = DeviceLog()
                held = log
                let made = CaptureSession(
                    name: "short",
                    configuration: SessionConfiguration(),
                    encoding: EncodingThreads(count: 1),
                    logger: Logger(label: "test")
                ) { (_) throws(DeviceError) in
                    log.recordOpening()
                    throw .absent(path: "short")
                }
                session = made
                #expect(session != nil)
                withExtendedLifetime(made) {}
            }
            #expect(await TestClock().reaches { session == nil })
            #expect(await TestClock().reaches { held == nil })
        }

        @Test func `an idle hot raw camera causes no encoding work`() async throws {
            try await Stage.run("YUYV:1280x720@120", warmth: .hot) { stage in
                #expect(await TestClock().reaches { stage.counters.captured >= 10 })
                // Excused: work was taken from the queue since the last check.
                let threads = stage.encoding.heartbeat
                _ = threads.isExcused()
                #expect(await TestClock().reaches { stage.counters.captured >= 130 })
                #expect(!threads.isExcused() && stage.renders.all.isEmpty)
                _ = try await stage.take()
                #expect(threads.isExcused() && !stage.renders.all.isEmpty)
            }
        }

        @Test func `a camera refused a descriptor fails alone, and works once there are some`() async {
            // In its own process, whose limit is lowered.
            await #expect(processExitsWith: .success) {
                let request = StillRequest(deadline: .patience)
                try await Stage.run("YUYV:256x64@100", clock: .system) { stage in
                    try await ResourceLimits.withoutDescriptors {
                        let problem = await #expect(throws: Problem.self) { try await stage.stills.take(request) }
                        #expect(problem?.code == .cameraFault)
                        #expect(problem?.remedy.contains("LimitNOFILE=") == true, "\(problem?.remedy ?? "")")
                    }
                    _ = try await stage.stills.take(request)
                }
            }
        }

        @Test func `select-with-fd-over-1024: a camera works with a descriptor above 1024`() async throws {
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_max, 4096)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            try #require(limit.rlim_cur >= 2048, "the hard limit of open files is too low (ulimit -Hn)")
            let fillers = (0..<1100).map { _ in dup(0) }
            defer { for filler in fillers { close(filler) } }
            try await Stage.run("YUYV:256x64@50", clock: .system) { stage in
                _ = try await stage.take(deadline: .patience).code()
                let high = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int.init)
                    .filter { $0 > 1024 }
                    .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
                #expect(high.contains { $0.contains("timerfd") }, "the camera's descriptor is below 1024: \(high)")
            }
        }
    }
}
