// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeDevice

/// Watching of folders; the kernel's uevents are tested in the virtual machine.
struct NodeWatcherTests {
    @Test func `reports added, changed and removed video nodes only`() async throws {
        try await FakeMachine.with { machine in
            let recorder = Recorder<String>()
            let watcher = NodeWatcher(machine.folders, hearsKernel: false) { recorder.add($0) }
            #expect(watcher.errors.isEmpty)
            try machine.write("", to: "/dev/null")
            try machine.write("", to: "/dev/video")
            try machine.write("", to: "/dev/video3")
            try await recorder.wait(for: "video3")
            #expect(recorder.values == ["video3"])
            recorder.forget()
            try await machine.restrict(3)
            try await recorder.wait(for: "video3")
            recorder.forget()
            try FileManager.default.removeItem(atPath: machine.root + "/dev/video3")
            try await recorder.wait(for: "video3")
            withExtendedLifetime(watcher) {}
        }
    }

    @Test func `reports links in folders created later`() async throws {
        try await FakeMachine.with { machine in
            let recorder = Recorder<String>()
            let watcher = NodeWatcher(machine.folders, hearsKernel: false) { recorder.add($0) }
            for _ in 0..<2 {
                // A folder is reported once it is watched: links made earlier are found by a scan.
                try machine.make("/dev/v4l")
                try await recorder.wait(for: "v4l")
                try machine.make("/dev/v4l/by-id")
                try await recorder.wait(for: "by-id")
                try machine.link("/dev/v4l/by-id/usb-A", to: "/dev/video0")
                try await recorder.wait(for: "usb-A")
                recorder.forget()
                try FileManager.default.removeItem(atPath: machine.root + "/dev/v4l")
                // The event of this removal must not be taken for one of the next folder.
                try await recorder.wait(for: "v4l")
                recorder.forget()
            }
            withExtendedLifetime(watcher) {}
        }
    }

    @Test func `reports the failed operation on a missing folder`() async throws {
        try await FakeMachine.with { machine in
            try FileManager.default.removeItem(atPath: machine.root + "/dev")
            let watcher = NodeWatcher(machine.folders, hearsKernel: false) { _ in }
            #expect(watcher.errors.map(\.description) == ["inotify_add_watch on /dev: no such file or directory."])
        }
    }

    @Test func `ends its thread when released`() async throws {
        try await FakeMachine.with { machine in
            // The thread retains the handler, and thereby the recorder, until it ends.
            weak var held: Recorder<String>?
            do {
                let recorder = Recorder<String>()
                held = recorder
                let watcher = NodeWatcher(machine.folders, hearsKernel: false) { recorder.add($0) }
                try machine.write("", to: "/dev/video3")
                try await recorder.wait(for: "video3")
                withExtendedLifetime(watcher) {}
            }
            try await eventually("the end of the watcher's thread") { held == nil }
        }
    }
}
