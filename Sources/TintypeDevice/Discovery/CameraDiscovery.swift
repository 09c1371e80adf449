// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
package import TintypeModel
internal import TintypeThreads

/// Finds the video capture nodes of this machine.
///
/// Reads /sys/class/video4linux and /dev/v4l, and opens each node once, for one `VIDIOC_QUERYCAP`, when it appears: no
/// camera's light goes on.
package final class CameraDiscovery: Sendable {
    /// A node that captures video, or one that could not be asked whether it does.
    package struct Finding: Hashable, Sendable {
        /// Which camera it is; card, driver and bus are empty where the node could not be asked.
        package var identity: CameraIdentity
        /// Whether it can be opened.
        package var authorization: CameraAuthorization
    }

    private struct Answer {
        let appearance: Appearance
        let finding: Finding?
    }

    /// What changes when another device, or the same one anew, takes a node's name; also when its mode is changed.
    private struct Appearance: Equatable {
        let device: UInt
        let inode: UInt
        let changedSeconds: Int
        let changedNanoseconds: Int
    }

    private let calls: DriverCalls
    private let answers = Mutex<[String: Answer]>([:])

    /// A discovery that marks its driver calls in `calls`.
    package init(calls: DriverCalls = DriverCalls()) { self.calls = calls }

    /// The capture nodes there are now, in order of their numbers.
    ///
    /// Blocks: only on a thread of our own.
    package func scan() -> [Finding] {
        NamedThread.assertMayBlock("looking for cameras")
        let byID = Self.links(in: "/dev/v4l/by-id")
        let byPath = Self.links(in: "/dev/v4l/by-path")
        let nodes = Self.nodes()
        let findings = nodes.compactMap { node -> Finding? in
            guard var finding = answer(for: node) else { return nil }
            finding.identity.byID = byID[node] ?? []
            finding.identity.byPath = byPath[node] ?? []
            return finding
        }
        answers.withLock { answers in
            for path in answers.keys where !nodes.contains(path) { answers[path] = nil }
        }
        return findings
    }

    private func answer(for path: String) -> Finding? {
        guard let appearance = Self.appearance(of: path) else { return nil }
        if let known = answers.withLock({ $0[path] }), known.appearance == appearance { return known.finding }
        return ask(path, appearance)
    }

    private func ask(_ path: String, _ appearance: Appearance) -> Finding? {
        var identity = CameraIdentity(path: path, card: "", driver: "", busInfo: "")
        do throws(DeviceError) {
            let node = try V4L2Node(path: path, calls: calls)
            let capability = try V4L2Capability(node)
            identity.card = capability.card
            identity.driver = capability.driver
            identity.busInfo = capability.busInfo
            let finding = capability.isCapture ? Finding(identity: identity, authorization: .authorized) : nil
            answers.withLock { $0[path] = Answer(appearance: appearance, finding: finding) }
            return finding
        } catch {
            // Not kept: the next scan asks again.
            identity.card = Self.name(of: path)
            return Finding(identity: identity, authorization: CameraAuthorization(error))
        }
    }

    // MARK: - Files

    private static func nodes() -> [String] {
        entries(of: "/sys/class/video4linux")
            .filter { $0.hasPrefix("video") }
            .sorted { (Int($0.dropFirst(5)) ?? 0) < (Int($1.dropFirst(5)) ?? 0) }
            .map { "/dev/" + $0 }
    }

    private static func links(in folder: String) -> [String: [String]] {
        var links: [String: [String]] = [:]
        for name in entries(of: folder).sorted() {
            let link = folder + "/" + name
            guard let target = unsafe realpath(link, nil) else { continue }
            unsafe links[String(cString: target), default: []].append(link)
            unsafe free(target)
        }
        return links
    }

    /// The driver's name for a node that cannot be opened, from sysfs.
    private static func name(of path: String) -> String {
        let file = "/sys/class/video4linux/\(path.split(separator: "/").last ?? "")/name"
        guard let stream = unsafe fopen(file, "re") else { return "" }
        defer { unsafe fclose(stream) }
        var line = [CChar](repeating: 0, count: 256)
        guard unsafe fgets(&line, CInt(line.count), stream) != nil else { return "" }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func entries(of folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe V4L2Node.text(of: entry.pointee.d_name)
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func appearance(of path: String) -> Appearance? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Appearance(
            device: UInt(status.st_rdev),
            inode: UInt(status.st_ino),
            changedSeconds: status.st_ctim.tv_sec,
            changedNanoseconds: status.st_ctim.tv_nsec
        )
    }
}

extension CameraAuthorization {
    /// What an attempt to open a node says.
    package init(_ error: DeviceError) {
        self =
            switch error {
            case .denied: .denied(remedy: error.problem.remedy)
            case .restricted(let path): .restricted(by: "the device policy of the unit or container, for \(path)")
            case .absent, .disconnected: .absent
            default: .authorized
            }
    }
}
