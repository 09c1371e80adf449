// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeThreads

/// What a session can be told; posted to its thread, answered by a reply with a deadline.
enum SessionCommand: Sendable {
    case start(Reply<CaptureFormat>)
    case stop(Reply<Bool>)
    case hold(HoldRequest, ifStopped: Int?, Reply<CameraHold>)
    case release(ReleaseRequest, Reply<[CameraHold]>)
    case apply(SessionConfiguration, ifRevision: Int?, Reply<ConfigurationReport>)
    case formats(Reply<[FormatDescription]>)
    case retryNow
    case controls(ControlCommand)
    case end(Reply<Bool>)
}
