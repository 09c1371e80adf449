// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
package import TintypeSystem

/// The driver call a camera's thread is in: written by that thread, read by any, lock-free.
package final class DriverCalls: Sendable {
    package enum Call: String, Sendable, CaseIterable {
        case open, close
        case queryCapability = "VIDIOC_QUERYCAP"
        case formats = "VIDIOC_ENUM_FMT"
        case setFormat = "VIDIOC_S_FMT"
        case selection = "VIDIOC_S_SELECTION"
        case parameters = "VIDIOC_S_PARM"
        case input = "VIDIOC_ENUMINPUT"
        case requestBuffers = "VIDIOC_REQBUFS"
        case queryBuffer = "VIDIOC_QUERYBUF"
        case map = "mmap"
        case queue = "VIDIOC_QBUF"
        case dequeue = "VIDIOC_DQBUF"
        case streamOn = "VIDIOC_STREAMON"
        case streamOff = "VIDIOC_STREAMOFF"
        case queryControl = "VIDIOC_QUERY_EXT_CTRL"
        case readControl = "VIDIOC_G_EXT_CTRLS"
        case writeControl = "VIDIOC_S_EXT_CTRLS"
        case event = "VIDIOC_DQEVENT"
        case subscribe = "VIDIOC_SUBSCRIBE_EVENT"
        case setInput = "VIDIOC_S_INPUT"
        case standard = "VIDIOC_S_STD"
        case timings = "VIDIOC_S_DV_TIMINGS"
        case attributes = "read in sysfs"
        case unmap = "munmap"

        fileprivate static let all = allCases
        package var name: String { rawValue }
        package var index: Int { Self.all.firstIndex(of: self) ?? 0 }
    }

    private let record = CallRecord()
    /// Clock of the durations of calls, and of the called device.
    package let clock: any MonotonicClock
    /// The calling camera; nil for probes of nodes.
    package let camera: String?
    /// Called after each call with its duration, on the calling thread.
    private let returned: @Sendable (Call, Duration) -> Void

    package init(
        clock: any MonotonicClock = .system,
        camera: String? = nil,
        returned: @escaping @Sendable (Call, Duration) -> Void = { _, _ in }
    ) {
        (self.clock, self.camera, self.returned) = (clock, camera, returned)
    }

    package func during<R>(_ call: Call, _ body: () -> R) -> R {
        let start = clock.now
        defer { returned(call, clock.now - start) }
        return record.during(UInt8(call.index + 1), from: start, body)
    }

    /// The call that has been running for longer than `limit`.
    package func stuck(longerThan limit: Duration = DriverCalls.limit) -> CameraStatus.StuckCall? {
        guard let (number, start) = record.running else { return nil }
        let time = clock.now - start
        return time > limit
            ? CameraStatus.StuckCall(name: Call.all[Int(number) - 1].name, runningMs: Milliseconds(time)) : nil
    }

    /// A longer call is reported as stuck.
    package static let limit = Duration.seconds(1)

    /// A longer call fails the requests of waiting clients, before their own deadline.
    ///
    /// A UVC control may take 5 s, resuming a webcam from USB suspend 3 s, and so may allocating large buffers.
    package static let longestWait = Duration.seconds(10)

    /// Earliest time at which a call can have run for longer than `limit`: the current one, or one that starts now.
    package func nextHang(after limit: Duration) -> MonotonicTime {
        let start = record.running?.start
        let now = clock.now
        // A stuck call is certain to be detected after a margin of 1 ms.
        return max(now, (start ?? now) + limit) + .milliseconds(1)
    }
}
