// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct EveryStateTests {
        /// State of the camera, with the pattern that causes it.
        enum Situation: String, CaseIterable {
            case opening, starting, settling, stalled, backoff, hanging

            var pattern: String {
                switch self {
                case .opening: "YUYV:256x64@30,hang-at=open"
                case .starting: "YUYV:256x64@30,hang-at=STREAMON"
                case .settling: "YUYV:256x64@30,flag-every=1"
                case .stalled: "YUYV:256x64@30,stall-after=3"
                case .backoff: "YUYV:256x64@30,lose-after=0"
                case .hanging: "YUYV:256x64@30,hang-after=3"
                }
            }

            func holds(_ status: CameraStatus) -> Bool {
                switch self {
                case .opening, .starting, .hanging: status.stuckCall != nil
                case .settling: status.state == .settling && status.counters.flagged > 0
                case .stalled: status.counters.captured >= 3
                case .backoff: status.state.name == .interrupted
                }
            }
        }

        @Test(arguments: Situation.allCases)
        func `SIGTERM stops the daemon cleanly in every state (stop-waits-for-select-timeout)`(
            _ situation: Situation
        ) async throws {
            try await Site.serving(situation.pattern) { site, daemon in
                async let asking = try? site.client.start("pattern")
                try await eventually("\(situation)") { situation.holds(try await site.client.camera("pattern")) }
                try await daemon.expectStop(at: site)
                _ = await asking
            }
        }
    }
}
