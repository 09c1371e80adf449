// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice
import TintypeModel
import TintypeThreads

@testable import TintypeCapture

/// The nodes of `TINTYPE_TEST_DEVICES` (`NAME=/dev/videoN …`).
private enum ManyCameras {
    static let nodes = (ProcessInfo.processInfo.environment["TINTYPE_TEST_DEVICES"] ?? "")
        .split(separator: " ").compactMap { $0.split(separator: "=").last.map(String.init) }
}

extension Trait where Self == ConditionTrait {
    /// Skips, with the reason, where there are not eight cameras.
    fileprivate static var requiresManyCameras: Self {
        .enabled(if: ManyCameras.nodes.count >= 8, "set TINTYPE_TEST_DEVICES to eight vivid nodes: NAME=/dev/videoN …")
    }
}

extension SessionTests {
    /// Many real drivers in one process: run by the guest `many` of the virtual machine.
    @Suite(.requiresManyCameras) struct ManyVividTests {
        private func configuration(_ width: Int, _ height: Int) -> SessionConfiguration {
            let size = FrameSize(width: width, height: height)
            let interval = FrameInterval(framesPerSecond: 5)
            return SessionConfiguration(
                format: FormatWish(pixelFormats: [.yuyv], size: .near(size), rate: .near(interval)),
                warmth: .cold
            )
        }

        /// The video nodes that this process has open.
        private var open: [String] {
            let folder = "/proc/self/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
                .filter { $0.hasPrefix("/dev/video") }.sorted()
        }

        private static func opener(of path: String) -> Crowd.Opener {
            { (_, calls) throws(DeviceError) in try V4L2Device(path: path, calls: calls) }
        }

        @Test
        func `eight cameras are started, reconfigured while the others run, and stopped, in any order`() async throws {
            let nodes = ManyCameras.nodes
            let openers = nodes.map(Self.opener)
            var random = SeededGenerator(seed: 8)
            try await Crowd.run(openers, configuration(320, 180), clock: .system) { crowd in
                #expect(open.isEmpty)
                for index in crowd.members.indices.shuffled(using: &random) {
                    let granted = try await crowd.members[index].session.start()
                    #expect(granted.size == FrameSize(width: 320, height: 180))
                }
                #expect(open == nodes.sorted())
                for index in crowd.members.indices.shuffled(using: &random) {
                    let captured = crowd.members.map { $0.session.status.counters.captured }
                    let granted = try await crowd.members[index].session.apply(configuration(640, 360))
                    #expect(granted.granted?.size == FrameSize(width: 640, height: 360))
                    // All of them stream: this one in its new format, the others as before.
                    try await eventually("two frames of each") {
                        zip(crowd.members, captured).allSatisfy { $0.session.status.counters.captured >= $1 + 2 }
                    }
                }
                for member in crowd.members {
                    let still = try await member.take(deadline: .patience)
                    #expect(still.record.width == 640 && still.record.height == 360)
                    #expect(member.log.openings == 2)
                    #expect(member.session.status.counters.interrupted == 0)
                }
                var left = Set(nodes)
                for index in crowd.members.indices.shuffled(using: &random) {
                    try await crowd.members[index].session.stop()
                    left.remove(nodes[index])
                    #expect(open == left.sorted())
                }
            }
        }
    }
}
