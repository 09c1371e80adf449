// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

/// What libv4lconvert is told of a device when it asks: it never asks the driver itself.
///
/// It asks only while a converter is made. Whatever it looks up beyond that (which USB device the node belongs to, and
/// which computer this is: its table of cameras that are built in upside down) it reads from sysfs.
package final class ConverterProfile: Sendable {
    private let driver: String
    /// What stands for the device in the name of the memory that libv4lconvert shares with other programs: none can
    /// know it, and ``forgetSharedMemory()`` takes the name away.
    private let token = (0..<31).map { _ in String(UInt8.random(in: 0...15), radix: 16) }.joined()
    /// `V4L2_IN_ST_HFLIP` and `V4L2_IN_ST_VFLIP` of the input: how the driver says that its sensor is mounted.
    private let inputStatus: UInt32
    /// The controls among those that libv4lconvert knows that the device has itself.
    private let controls: Set<UInt32>
    /// The device's node; nil where it has none.
    let path: String?
    /// What stands for the device in messages.
    let name: String

    /// What a device says of itself.
    package init(
        _ identity: CameraIdentity,
        path: String? = nil,
        inputStatus: UInt32 = 0,
        controls: Set<UInt32> = []
    ) {
        driver = identity.driver
        name = identity.path
        self.path = path
        self.inputStatus = inputStatus
        self.controls = controls
    }

    /// The controls that libv4lconvert has a stand-in for where the device lacks them.
    static let knownControls = [V4L2_CID_HFLIP, V4L2_CID_VFLIP, V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CID_GAMMA]

    /// Answers an ioctl that libv4lconvert would have made; returns 0, or sets errno and returns -1.
    func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        switch request {
        case CV4L2_QUERYCAP: unsafe fill(argument.assumingMemoryBound(to: v4l2_capability.self))
        // One format that it does not know, so that it adds no controls of its own to a camera that is in no table.
        case CV4L2_ENUM_FMT where unsafe argument.assumingMemoryBound(to: v4l2_fmtdesc.self).pointee.index == 0: break
        case CV4L2_G_INPUT: unsafe argument.storeBytes(of: 0, as: CInt.self)
        case CV4L2_ENUMINPUT:
            unsafe argument.assumingMemoryBound(to: v4l2_input.self).pointee.status = inputStatus
        case CV4L2_QUERYCTRL
        where unsafe controls.contains(argument.assumingMemoryBound(to: v4l2_queryctrl.self).pointee.id):
            unsafe argument.assumingMemoryBound(to: v4l2_queryctrl.self).pointee.flags = 0
        default:
            errno = EINVAL
            return -1
        }
        return 0
    }

    private func fill(_ capability: UnsafeMutablePointer<v4l2_capability>) {
        unsafe capability.pointee = v4l2_capability()
        unsafe capability.pointee.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE)
        unsafe Self.copy(driver, to: &capability.pointee.driver)
        unsafe Self.copy(token, to: &capability.pointee.card)
        unsafe Self.copy("tintype", to: &capability.pointee.bus_info)
    }

    /// Removes the name of the memory in which libv4lconvert keeps settings of cameras that are in its table, for other
    /// programs of the same user to change: they, or a user who made a file of that name first, could turn our pictures
    /// or end the process.
    ///
    /// Reads `/dev/shm` (shm_overview(7)).
    func forgetSharedMemory() {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob("/dev/shm/libv4l-*\(token)", 0, nil, &found) == 0 else { return }
        for index in unsafe 0..<Int(found.gl_pathc) {
            if let path = unsafe found.gl_pathv[index] { unsafe unlink(path) }
        }
    }

    private static func copy<T>(_ text: String, to array: inout T) {
        unsafe withUnsafeMutableBytes(of: &array) { target in
            for (index, byte) in text.utf8.prefix(target.count - 1).enumerated() { unsafe target[index] = byte }
        }
    }

    /// The calls that libv4lconvert makes, all answered by the profile that it is given as context.
    nonisolated(unsafe) static let operations: UnsafePointer<libv4l_dev_ops> = {
        let operations = UnsafeMutablePointer<libv4l_dev_ops>.allocate(capacity: 1)
        unsafe operations.initialize(to: libv4l_dev_ops())
        unsafe operations.pointee.ioctl = { context, _, request, argument in
            guard let context = unsafe context, let argument = unsafe argument else { return -1 }
            return unsafe Unmanaged<ConverterProfile>.fromOpaque(context).takeUnretainedValue()
                .answer(UInt(request), argument)
        }
        return unsafe UnsafePointer(operations)
    }()
}
