// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
internal import Synchronization

/// An open V4L2 node; all ioctls go through it.
@safe struct V4L2Node: ~Copyable {
    /// Issues an ioctl on a descriptor; returns 0 or the errno.
    typealias Ioctl = (CInt, UInt, UnsafeMutableRawPointer) -> CInt

    let path: String
    let calls: DriverCalls
    private let handle: Descriptor
    private let ioctl: Ioctl
    private let number: dev_t

    init(path: String, calls: DriverCalls) throws(DeviceError) {
        unsafe self.init(try Descriptor(device: path, marking: calls), path: path, calls: calls, ioctl: Self.system)
    }

    /// Takes ownership of an open descriptor, with `ioctl` for its driver calls.
    init(_ handle: consuming Descriptor, path: String, calls: DriverCalls, ioctl: @escaping Ioctl) {
        var status = stat()
        number = unsafe fstat(handle.rawValue, &status) == 0 ? status.st_rdev : 0
        self.handle = handle
        self.path = path
        self.calls = calls
        unsafe self.ioctl = ioctl
        if let camera = calls.camera { OpenNodes.all.add(camera, number) }
    }

    deinit { if let camera = calls.camera { OpenNodes.all.remove(camera, number) } }

    /// ioctl(2), retried on EINTR.
    private static func system(_ descriptor: CInt, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        while unsafe cv4l2_ioctl(descriptor, request, argument) != 0 {
            guard errno == EINTR else { return errno }
        }
        return 0
    }

    var descriptor: CInt { handle.rawValue }

    /// Returns 0 or the errno.
    func attempt<T>(_ call: DriverCalls.Call, _ request: UInt, _ argument: inout T) -> CInt {
        unsafe withUnsafeMutablePointer(to: &argument) { argument in
            unsafe attempt(call, request, UnsafeMutableRawPointer(argument))
        }
    }

    func attempt(_ call: DriverCalls.Call, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        let descriptor = handle.rawValue
        return calls.during(call) { unsafe ioctl(descriptor, request, argument) }
    }

    func perform<T>(_ call: DriverCalls.Call, _ request: UInt, _ argument: inout T) throws(DeviceError) {
        let code = attempt(call, request, &argument)
        guard code == 0 else { throw DeviceError(operation: call.name, path: path, errno: code) }
    }

    /// A fixed-size C array such as `card`, up to its first NUL.
    static func text<T>(of array: T) -> String {
        unsafe withUnsafeBytes(of: array) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

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

/// `VIDIOC_QUERYCAP`.
struct V4L2Capability {
    private var raw = v4l2_capability()

    init(_ node: borrowing V4L2Node) throws(DeviceError) {
        switch node.attempt(.queryCapability, CV4L2_QUERYCAP, &raw) {
        case 0: break
        // Returned by drivers of other devices and for regular files.
        case ENOTTY, EINVAL: throw .notVideo(path: node.path)
        case let code: throw DeviceError(operation: "VIDIOC_QUERYCAP", path: node.path, errno: code)
        }
    }

    var driver: String { V4L2Node.text(of: raw.driver) }
    var card: String { V4L2Node.text(of: raw.card) }
    var answer: NodeAnswer {
        NodeAnswer(card: card, driver: driver, busInfo: V4L2Node.text(of: raw.bus_info), isCapture: isCapture)
    }

    /// `device_caps` of this node: `capabilities` are those of the whole device.
    private var flags: UInt32 {
        raw.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? raw.device_caps : raw.capabilities
    }

    var isMultiPlanar: Bool {
        flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) == 0 && flags & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0
    }

    /// True for a camera: captures video (not metadata, output or memory-to-memory), streams, and needs no pipeline.
    var isCapture: Bool { capturesVideo && !needsPipeline }

    /// True if userspace, such as libcamera, must first configure an image processor in front of the node.
    ///
    /// `V4L2_CAP_IO_MC` indicates that, but is newer than some of these drivers.
    var needsPipeline: Bool {
        capturesVideo && (flags & UInt32(V4L2_CAP_IO_MC) != 0 || Self.processors.contains(driver))
    }

    private var capturesVideo: Bool {
        let captures = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
        let codecs = UInt32(V4L2_CAP_VIDEO_M2M) | UInt32(V4L2_CAP_VIDEO_M2M_MPLANE)
        return flags & captures != 0 && flags & codecs == 0 && flags & UInt32(V4L2_CAP_STREAMING) != 0
    }

    /// `driver` of image processors whose capture nodes deliver nothing by themselves.
    private static let processors: Set = ["bcm2835-isp", "pispbe", "rkisp1", "ipu3-imgu", "ipu3-cio2", "isys"]
}
