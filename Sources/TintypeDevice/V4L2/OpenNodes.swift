// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Nodes opened by the cameras of this process, by device number; a driver only reports that its device is busy.
final class OpenNodes: Sendable {
    static let all = OpenNodes()

    private let cameras = Mutex<[dev_t: [String]]>([:])

    func add(_ camera: String, _ node: dev_t) { cameras.withLock { $0[node, default: []].append(camera) } }

    func remove(_ camera: String, _ node: dev_t) {
        cameras.withLock { cameras in
            guard let index = cameras[node]?.firstIndex(of: camera) else { return }
            cameras[node]?.remove(at: index)
            if cameras[node]?.isEmpty == true { cameras[node] = nil }
        }
    }

    func camera(at node: dev_t, besides camera: String) -> String? {
        cameras.withLock { cameras in cameras[node]?.first { $0 != camera } }
    }
}

extension DeviceError {
    /// Adds the name of another camera of this process that uses the device, if any (stat(2), no driver call).
    package func naming(besides camera: String) -> DeviceError {
        guard case .busy(let path, let operation, by: nil) = self else { return self }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return self }
        return .busy(path: path, operation: operation, by: OpenNodes.all.camera(at: status.st_rdev, besides: camera))
    }
}
