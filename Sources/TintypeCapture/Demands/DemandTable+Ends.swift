// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// No frame comes.
extension DemandTable {
    /// No frame comes for those who wait for one.
    mutating func fail(_ problem: Problem) {
        for index in demands.indices where closing != nil || !demands[index].plan.isSubscription {
            change(at: index) { $0.fail(problem) }
        }
    }

    /// The camera is stopped: the same, and those whose frame is being encoded do not get it either.
    mutating func abandon(_ problem: Problem) {
        breakSeries()
        for index in demands.indices where !demands[index].plan.isSubscription {
            change(at: index) { $0.abandon(problem) }
        }
        // The encode goes on; its result reaches no client but subscriptions.
        let subscriptions = Set(demands.lazy.filter(\.plan.isSubscription).map(\.id))
        for order in renderings.keys { renderings[order]?.demands.removeAll { !subscriptions.contains($0) } }
    }

    /// The session has ended: there will be no frame for those who wait, and for those who will come.
    mutating func close(_ problem: Problem) {
        closing = problem
        breakSeries()
        fail(problem)
    }

    /// The newest frame is gone: its device is closed, or it was taken behind a closed shutter.
    mutating func forgetFrames() {
        newest = nil
        rendered.removeAll()
        breakSeries()
    }
}
