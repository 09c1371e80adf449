// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
internal import Glibc

/// Whose changes a driver takes where several programs have a device open (`enum v4l2_priority`): while one of them has a
/// higher priority, those of the others are refused with EBUSY.
///
/// A program that sets none is `interactive`. Source: "Application Priority" of the V4L2 documentation.
package enum DevicePriority: String, Hashable, Sendable, CaseIterable {
    /// Lowest: for what must not get in anybody's way.
    case background
    /// What every program has that sets none.
    case interactive
    /// Highest: for what must not be interfered with.
    case record

    fileprivate var number: UInt32 {
        switch self {
        case .background: V4L2_PRIORITY_BACKGROUND.rawValue
        case .interactive: V4L2_PRIORITY_INTERACTIVE.rawValue
        case .record: V4L2_PRIORITY_RECORD.rawValue
        }
    }
}

extension V4L2Device {
    /// Sets the priority that this program has at the device for as long as it is open.
    ///
    /// The ioctl is `VIDIOC_S_PRIORITY`.
    ///
    /// - Returns: false where the driver has no priorities.
    /// - Throws: ``DeviceError/busy(path:operation:by:)`` where another program has a higher one than this program so far.
    package func claim(_ priority: DevicePriority) throws(DeviceError) -> Bool {
        var number = priority.number
        let code = node.attempt(.priority, CV4L2_S_PRIORITY, &number)
        guard code != ENOTTY else { return false }
        guard code == 0 else {
            throw DeviceError(operation: DriverCalls.Call.priority.name, path: node.path, errno: code)
        }
        return true
    }
}
