// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension V4L2Device {
    /// Every ioctl that asks and changes nothing.
    package func record() throws(DeviceError) -> DeviceRecord { try DeviceRecorder(self).record }
}
