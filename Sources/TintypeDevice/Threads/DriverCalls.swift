// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
package import TintypeSystem

/// The driver call that a camera's thread is in, for everybody else to see: a call that never returns can be told
/// from outside only.
///
/// Written by the device thread, read by any thread, without a lock.
package final class DriverCalls: Sendable {
    /// A call into a driver.
    package enum Call: UInt8, Sendable, CaseIterable {
        case open = 1
        case close
        case queryCapability
        case formats
        case tryFormat
        case setFormat
        case selection
        case parameters
        case input
        case requestBuffers
        case queryBuffer
        case map
        case queue
        case dequeue
        case streamOn
        case streamOff
        case queryControl
        case readControl
        case writeControl
        case event
        case subscribe
        case setInput
        case standard
        case timings
        case attributes
        case control
        case unmap

        /// Its place among all calls.
        package var index: Int { Int(rawValue) - 1 }

        /// The name of the system call or ioctl.
        package var name: String {
            switch self {
            case .open: "open"
            case .close: "close"
            case .queryCapability: "VIDIOC_QUERYCAP"
            case .formats: "VIDIOC_ENUM_FMT"
            case .tryFormat: "VIDIOC_TRY_FMT"
            case .setFormat: "VIDIOC_S_FMT"
            case .selection: "VIDIOC_S_SELECTION"
            case .parameters: "VIDIOC_S_PARM"
            case .input: "VIDIOC_ENUMINPUT"
            case .requestBuffers: "VIDIOC_REQBUFS"
            case .queryBuffer: "VIDIOC_QUERYBUF"
            case .map: "mmap"
            case .queue: "VIDIOC_QBUF"
            case .dequeue: "VIDIOC_DQBUF"
            case .streamOn: "VIDIOC_STREAMON"
            case .streamOff: "VIDIOC_STREAMOFF"
            case .queryControl: "VIDIOC_QUERY_EXT_CTRL"
            case .readControl: "VIDIOC_G_EXT_CTRLS"
            case .writeControl: "VIDIOC_S_EXT_CTRLS"
            case .event: "VIDIOC_DQEVENT"
            case .subscribe: "VIDIOC_SUBSCRIBE_EVENT"
            case .setInput: "VIDIOC_S_INPUT"
            case .standard: "VIDIOC_S_STD"
            case .timings: "VIDIOC_S_DV_TIMINGS"
            case .attributes: "read in sysfs"
            case .control: "VIDIOC_G_CTRL"
            case .unmap: "munmap"
            }
        }
    }

    private let record = CallRecord()

    /// By which calls are timed, and by which the device goes that is called.
    package let clock: any MonotonicClock

    /// The name of the camera whose thread makes them; nil where no camera does, as when a node is asked what it is.
    package let camera: String?

    /// Told each call that has returned, and how long it took; on the thread that made it.
    private let returned: @Sendable (Call, Duration) -> Void

    /// No call is running.
    package init(
        clock: any MonotonicClock = .system,
        camera: String? = nil,
        returned: @escaping @Sendable (Call, Duration) -> Void = { _, _ in }
    ) {
        self.clock = clock
        self.camera = camera
        self.returned = returned
    }

    /// Runs one driver call and marks it while it runs.
    package func during<R>(_ call: Call, _ body: () -> R) -> R {
        let start = clock.now
        defer { returned(call, clock.now - start) }
        return record.during(call.rawValue, from: start, body)
    }

    /// The call that has been running for longer than `limit`, if one has.
    package func stuck(longerThan limit: Duration = DriverCalls.limit) -> CameraStatus.StuckCall? {
        guard let (number, start) = record.running, let call = Call(rawValue: number) else { return nil }
        let time = clock.now - start
        return time > limit ? CameraStatus.StuckCall(name: call.name, runningMs: Milliseconds(time)) : nil
    }

    /// A call that runs longer than this is reported as stuck: 1 s.
    package static let limit = Duration.seconds(1)

    /// A client that waits for a frame is told of a call that runs longer than this, at once: 10 s.
    ///
    /// Up to then it waits until its own deadline. A UVC control may take 5 s, to wake a webcam that the bus has suspended 3 s, and so may the memory for large
    /// pictures on a slow machine.
    package static let longestWait = Duration.seconds(10)

    /// The earliest moment at which a call can have run for longer than `limit`: when the present call has, or another
    /// that begins now.
    ///
    /// A client that waits need not look for a call that hangs before.
    package func nextHang(after limit: Duration) -> MonotonicTime {
        let running = record.running
        let now = clock.now
        guard let running else { return now + limit + Self.margin }
        return max(now, running.start + limit) + Self.margin
    }

    /// So much later a call that hangs is sure to be found.
    private static let margin = Duration.milliseconds(1)
}
