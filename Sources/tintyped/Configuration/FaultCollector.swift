// SPDX-License-Identifier: Apache-2.0
internal import Yams

/// Gathers what is wrong with one file while it is read, so that all of it can be said at once.
final class FaultCollector {
    private let file: String
    private(set) var faults: [ConfigurationFault] = []

    init(file: String) { self.file = file }

    /// Notes that something is wrong at `mark` with the value of `key`.
    func add(_ mark: Mark?, key: String?, _ detail: String, remedy: String) {
        let place = mark.map { ConfigurationFault.Place(line: $0.line, column: $0.column) }
        add(at: place, key: key, detail, remedy: remedy)
    }

    /// The same where no node of the document is there.
    func add(at place: ConfigurationFault.Place?, key: String?, _ detail: String, remedy: String) {
        faults.append(ConfigurationFault(file: file, place: place, key: key, detail: detail, remedy: remedy))
    }

    /// Throws what was gathered, in the order of the file, if there is anything.
    func throwIfAny() throws(ConfigurationError) {
        guard !faults.isEmpty else { return }
        let sorted = faults.enumerated().sorted { left, right in
            let places = [left, right].map { ($0.element.place?.line ?? 0, $0.element.place?.column ?? 0) }
            return (places[0].0, places[0].1, left.offset) < (places[1].0, places[1].1, right.offset)
        }
        throw ConfigurationError(faults: sorted.map(\.element))
    }
}
