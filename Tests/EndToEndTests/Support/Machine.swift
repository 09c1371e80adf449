// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Testing

enum Machine {
    static let isRoot = geteuid() == 0
    static let hasCamera =
        (try? FileManager.default.contentsOfDirectory(atPath: "/dev"))?
        .contains { $0.hasPrefix("video") } ?? false
    /// Capture node that delivers frames, from `TINTYPE_TEST_DEVICES` (`name=/dev/videoN …`).
    static let device = ProcessInfo.processInfo.environment["TINTYPE_TEST_DEVICES"]?
        .split(separator: " ").first?.split(separator: "=").last.map(String.init)
}

extension Trait where Self == ConditionTrait {
    static var requiresRoot: Self { .enabled(if: Machine.isRoot, "only root can run a program as another user") }
    static var requiresNoCamera: Self { .enabled(if: !Machine.hasCamera, "this machine has a camera") }
}
