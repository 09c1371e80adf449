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

    /// True if a trial mount succeeds.
    static let canMount: Bool = {
        let folder = "/tmp/tintype-e2e-mount-\(getpid())"
        guard isRoot, unsafe mkdir(folder, 0o700) == 0 else { return false }
        defer { unsafe rmdir(folder) }
        guard unsafe mount("tmpfs", folder, "tmpfs", 0, "size=1m") == 0 else { return false }
        unsafe umount2(folder, Int32(MNT_DETACH))
        return true
    }()
}

extension Trait where Self == ConditionTrait {
    static var requiresRoot: Self { .enabled(if: Machine.isRoot, "only root can run a program as another user") }
    static var requiresMount: Self { .enabled(if: Machine.canMount, "only root can mount a small file system") }
    static var requiresNoCamera: Self { .enabled(if: !Machine.hasCamera, "this machine has a camera") }
    static var requiresDevice: Self {
        .enabled(
            if: Machine.device != nil,
            "there is no V4L2 device in TINTYPE_TEST_DEVICES; the test pattern has no node"
        )
    }
}
