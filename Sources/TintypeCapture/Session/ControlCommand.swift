// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeThreads

/// What a session can be told about its camera's controls.
enum ControlCommand: Sendable {
    case list(Reply<[ControlDescription]>)
    case set(ControlSettings, Reply<[ControlOutcome]>)
    case use(name: String, ControlSettings, Reply<[ControlOutcome]>)
    case reset(Reply<[ControlOutcome]>)
}
