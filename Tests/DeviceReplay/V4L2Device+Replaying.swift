// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc
package import TintypeModel

@testable package import TintypeDevice

extension V4L2Device {
    /// The device of a record, called `path` in messages: it is negotiated with and controlled as it was, and gives no
    /// frames.
    ///
    /// Throws ``DeviceError/notCapture(path:card:)`` for the record of another node.
    package convenience init(
        replaying record: DeviceRecord,
        path: String = "/dev/recorded",
        calls: DriverCalls = DriverCalls()
    ) throws(DeviceError) {
        let driver = RecordedDriver(record)
        let handle = Descriptor(eventfd(0, CInt(EFD_CLOEXEC)))
        let node = unsafe V4L2Node(handle, path: path, calls: calls) { _, request, argument in
            unsafe driver.answer(request, argument)
        }
        var known = CameraIdentity(path: path, card: "", driver: "", busInfo: "")
        known.usb = record.usb
        known.manufacturer = record.manufacturer
        known.product = record.product
        known.serial = record.serial
        try self.init(node, known: known)
    }
}
