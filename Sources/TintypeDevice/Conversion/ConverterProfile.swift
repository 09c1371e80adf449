// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

/// Answers libv4lconvert's queries about a device while a converter is created, so that it never calls the driver.
///
/// It finds the USB device and the computer model (for its table of cameras built in upside down) in sysfs by itself.
package final class ConverterProfile: Sendable {
    private let driver: String
    /// Random name of the shared memory that libv4lconvert creates, so that no other program can guess it before
    /// ``forgetSharedMemory()`` unlinks it.
    private let token = (0..<31).map { _ in String(UInt8.random(in: 0...15), radix: 16) }.joined()
    /// `V4L2_IN_ST_HFLIP` and `V4L2_IN_ST_VFLIP` of the input: orientation of the sensor according to the driver.
    private let inputStatus: UInt32
    /// Those of ``knownControls`` that the device has itself.
    private let controls: Set<UInt32>
    /// Nil without a device node.
    let path: String?
    /// For messages.
    let name: String

    package init(_ identity: CameraIdentity, path: String? = nil, inputStatus: UInt32 = 0, controls: Set<UInt32> = []) {
        driver = identity.driver
        name = identity.path
        (self.path, self.inputStatus, self.controls) = (path, inputStatus, controls)
    }

    /// Controls that libv4lconvert emulates if the device lacks them.
    static let knownControls = [V4L2_CID_HFLIP, V4L2_CID_VFLIP, V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CID_GAMMA]

    /// Answers an ioctl of libv4lconvert; returns 0, or sets errno and returns -1.
    func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> CInt {
        switch request {
        case CV4L2_QUERYCAP: unsafe fill(argument.assumingMemoryBound(to: v4l2_capability.self))
        // A single unknown format keeps libv4lconvert from adding emulated controls to cameras not in its table.
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

    /// Unlinks libv4lconvert's shared memory in `/dev/shm` (shm_overview(7)).
    ///
    /// libv4lconvert keeps settings of cameras in its table there, for other programs of the same user to change. They,
    /// or a user who creates the file first, could flip our pictures or crash the process.
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

    /// Driver callbacks for libv4lconvert; the context is a ``ConverterProfile``.
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
