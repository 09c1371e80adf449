// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Reads the parameters of a query so that every error names its parameter and says what would be right.
struct QueryReader {
    private var values: [String: String] = [:]

    init(_ query: [(name: String, value: String)], known: [String]) throws(Problem) {
        for (name, value) in query {
            guard known.contains(name) else {
                throw .invalid(
                    field: name,
                    "is not a known parameter.",
                    remedy: "Leave it out or use one of: \(known.joined(separator: ", "))."
                )
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .invalid(field: name, "is given more than once.", remedy: "Give it once.")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw .invalid(
                field: name,
                "is not a whole number from \(range.lowerBound) to \(range.upperBound).",
                remedy: "Give such a number."
            )
        }
        return value
    }

    func milliseconds(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Duration? {
        guard let text = values[name] else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw .invalid(
                field: name,
                "is not a number of milliseconds from \(Int(range.lowerBound)) to \(Int(range.upperBound)).",
                remedy: "Give such a number."
            )
        }
        return .microseconds(Int64((value * 1000).rounded()))
    }

    func bool(_ name: String) throws(Problem) -> Bool? {
        switch values[name] {
        case nil: return nil
        case "true", "1": return true
        case "false", "0": return false
        default: throw .invalid(field: name, "is neither true nor false.", remedy: "Give true or false.")
        }
    }

    func word<T: RawRepresentable & CaseIterable>(_ name: String, _ type: T.Type) throws(Problem) -> T?
    where T.RawValue == String {
        guard let text = values[name] else { return nil }
        guard let value = T(rawValue: text) else {
            throw .invalid(
                field: name,
                "is none of \(T.allCases.map(\.rawValue).joined(separator: ", ")).",
                remedy: "Use one of these."
            )
        }
        return value
    }
}
