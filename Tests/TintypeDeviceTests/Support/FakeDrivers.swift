// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

@testable import TintypeDevice

/// Drivers behind the nodes of a ``FakeMachine``: their answers and the number of queries.
final class FakeDrivers: Sendable {
    /// Reaction of a node to a query.
    enum Behaviour: Sendable {
        case answers(NodeAnswer)
        case fails(DeviceError)
        /// Does not answer before ``FakeDrivers/release()``.
        case hangs
    }

    private struct State {
        var behaviours: [String: Behaviour] = [:]
        var asked: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let gate = Gate()

    /// Returns the answer of a camera.
    static func camera(_ card: String, driver: String = "uvcvideo", busInfo: String = "usb-x") -> Behaviour {
        .answers(NodeAnswer(card: card, driver: driver, busInfo: busInfo, isCapture: true))
    }

    /// Answer of a metadata node.
    static let metadata = Behaviour.answers(
        NodeAnswer(card: "Metadata", driver: "uvcvideo", busInfo: "usb-x", isCapture: false)
    )

    func set(_ number: Int, _ behaviour: Behaviour) {
        state.withLock { $0.behaviours["video\(number)"] = behaviour }
    }

    /// Returns the number of queries of the node.
    func asked(_ number: Int) -> Int { state.withLock { $0.asked["video\(number)"] ?? 0 } }

    /// Releases hanging queries.
    func release() { gate.open() }

    /// Returns a discovery on `machine` with these drivers.
    func discovery(on machine: FakeMachine) -> CameraDiscovery {
        CameraDiscovery(in: machine.folders, clock: TestClock()) { [self] (path, _) throws(DeviceError) in
            let name = String(path.split(separator: "/").last ?? "")
            let behaviour = state.withLock { state in
                state.asked[name, default: 0] += 1
                return state.behaviours[name]
            }
            switch behaviour {
            case .answers(let answer): return answer
            case .fails(let error): throw error
            case .hangs:
                gate.wait()
                return NodeAnswer(card: "Late", driver: "uvcvideo", busInfo: "usb-late", isCapture: true)
            case nil: throw .absent(path: path)
            }
        }
    }
}
