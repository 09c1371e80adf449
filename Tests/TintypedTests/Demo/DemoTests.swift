// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing
import TintypeAPI
import TintypeCapture
import TintypeImaging
import TintypeModel

@testable import TintypeDevice
@testable import tintyped

struct DemoTests {
    private static let configuration = Demo.configuration("tt_demo")

    @Test func `the configuration has no faults and no doubts, and only the digest of the token`() throws {
        let configuration = try ConfigurationReader.read(Self.configuration, file: "f")
        #expect(configuration.cameras.map(\.name) == ["yard", "workshop"])
        #expect(!Self.configuration.contains("tt_demo"))
        let doubts = ConfigurationCheck(configuration, in: Self.configuration, file: "f").doubts(.init())
        #expect(doubts.isEmpty, "\(doubts)")
    }

    /// A day of the scene, at the samples that a camera of this rate gives.
    @Test(arguments: ["yard", "workshop"])
    func `motion is found whenever somebody crosses, and never else`(_ name: String) throws {
        let configuration = try ConfigurationReader.read(Self.configuration, file: "f")
        let camera = try #require(configuration.cameras.first { $0.name == name })
        guard case .pattern(let spec) = camera.source, let scene = spec.scene, let interval = spec.format.interval
        else {
            Issue.record("\(name) is no scene")
            return
        }
        var rule = MotionRule(try #require(camera.session.motion))
        let size = spec.format.size
        let layout = PictureLayout(pixelFormat: .grey, size: size, bytesPerRow: size.width, color: .jfif)
        let painter = ScenePainter(scene, layout, PatternLook(), period: interval.duration)
        var pixels = [UInt8](repeating: 0, count: size.area)
        var found: [Int] = []
        let samples = Int((interval.rate / 5).rounded(.up))
        for number in stride(from: 0, to: Int(SceneLight.cycle * interval.rate), by: samples) {
            let time = Double(number) / interval.rate
            var span = pixels.mutableSpan
            var bytes = unsafe span.mutableBytes
            painter.paint(UInt32(number), at: Timestamp(microseconds: 1_790_000_000_000_000), into: &bytes)
            let sample = try FrameStatistics(pixels.rawSpan, layout: layout)
            let moment = MonotonicTime(nanoseconds: Int64(time * 1e9))
            guard case .began = rule.add(sample, stream: 1, at: moment) else { continue }
            found.append(try #require(scene.crossing(at: time), "motion at \(time) s").number)
        }
        let crossings = scene.crossings
        let last = (SceneLight.cycle - crossings.first - crossings.duration) / crossings.interval
        #expect(found.starts(with: 0...Int(last)), "\(found)")
    }

    @Test func `the worker runs beside the demo, and ends with it`() async throws {
        let folder = TemporaryFolder()
        let (program, words) = ("\(folder.path)/tintype", "\(folder.path)/words")
        let script = "#!/bin/sh\necho $$ \"$@\" >\(words).new\nmv \(words).new \(words)\nexec sleep 1000\n"
        // By a child: while one of another test has the file open for writing, exec(2) fails with ETXTBSY.
        let write = ["/bin/sh", "-c", "printf %s \"$1\" > \"$2\" && chmod 700 \"$2\"", "sh", script, program]
        #expect(try ProgramOutput(of: write).status == 0)
        let worker = DemoWorker()
        worker.start(program, socket: "/s", cache: "/c")
        let text: String = try await eventually("the worker starts") {
            try? String(contentsOfFile: words, encoding: .utf8)
        }
        let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(parts.dropFirst() == ["work", "--socket", "/s", "--cache", "/c"])
        let pid = try #require(pid_t(parts[0]))
        #expect(kill(pid, 0) == 0)
        worker.stop()
        try await eventually("the worker ends") { kill(pid, 0) != 0 }
        // Without the program there is nothing to end.
        let none = DemoWorker()
        none.start(nil, socket: "/s", cache: "/c")
        none.stop()
    }

    @Test func `a folder is private, and removed with its contents`() throws {
        let parent = TemporaryFolder()
        let (folder, lock) = try Demo.makeFolder(in: parent.path)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        try Data().write(to: URL(filePath: "\(folder)/tintyped.yaml"))
        Demo.removeLeftovers(in: parent.path)
        #expect(FileManager.default.fileExists(atPath: folder))
        Demo.remove(folder)
        close(lock)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).isEmpty)
    }

    @Test func `only what a killed demo left is removed`() throws {
        let parent = TemporaryFolder()
        let files = FileManager.default
        for (name, permissions) in [("tintype-demo-left", 0o700), ("tintype-demo-open", 0o755), ("other", 0o700)] {
            let path = "\(parent.path)/\(name)"
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(path)/tintyped.yaml"))
            try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
        }
        try files.createSymbolicLink(atPath: parent.path + "/tintype-demo-link", withDestinationPath: "other")
        _ = try parent.write("", to: "tintype-demo-file")
        Demo.removeLeftovers(in: parent.path)
        let left = try files.contentsOfDirectory(atPath: parent.path).sorted()
        #expect(left == ["other", "tintype-demo-file", "tintype-demo-link", "tintype-demo-open"])
    }

    @Test func `a folder that cannot be made is an error with a remedy`() {
        let error = #expect(throws: Problem.self) { try Demo.makeFolder(in: "/nowhere") }
        #expect(error?.detail.contains("/nowhere") == true && error?.remedy.contains("TMPDIR") == true)
    }

    @Test func `a demo takes the usual port, or another if it is taken`() throws {
        let one = try PassedSockets(loopback: 0)
        let port = try #require(one.port)
        let other = try PassedSockets(loopback: UInt16(port))
        #expect(other.port != port && other.network.count == 1)
    }
}
