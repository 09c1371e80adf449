// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import TintypeModel

struct StillMetrics: Sendable {
    private let camera: String
    private let phases: [(timer: Timer, path: any KeyPath<StillPhases, Milliseconds> & Sendable)]
    private let age: Timer

    init(camera: String) {
        self.camera = camera
        let all: [(String, any KeyPath<StillPhases, Milliseconds> & Sendable)] = [
            ("open", \.open), ("settle", \.settle), ("wait", \.wait), ("encode", \.encode), ("store", \.store),
        ]
        phases = all.map { name, path in
            (Timer(label: MetricName.stillPhase.rawValue, dimensions: [("camera", camera), ("phase", name)]), path)
        }
        age = Timer(label: MetricName.stillAge.rawValue, dimensions: [("camera", camera)])
    }

    func recordTaken(_ record: StillRecord) {
        count("ok")
        for (timer, path) in phases {
            guard let time = record.phasesMs?[keyPath: path].duration, time > .zero else { continue }
            timer.recordNanoseconds(time.nanosecondCount)
        }
        if let time = record.ageMs { age.recordNanoseconds(time.duration.nanosecondCount) }
    }

    func failed(_ code: ProblemCode) { count(code.rawValue) }

    func countingFailure<Value: Sendable>(_ take: () async throws(Problem) -> Value) async throws(Problem) -> Value {
        do throws(Problem) {
            return try await take()
        } catch {
            failed(error.code)
            throw error
        }
    }

    private func count(_ result: String) {
        Counter(label: MetricName.stills.rawValue, dimensions: [("camera", camera), ("result", result)]).increment()
    }
}
