// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension Request {
    /// The parameters of the query, decoded, in their order.
    var parameters: [(name: String, value: String)] {
        uri.queryParameters.map { (String($0.key), String($0.value)) }
    }

    /// The value of the only parameter that the query may have; nil where it has none.
    ///
    /// Throws ``Problem`` with code `invalid-request` for any other parameter.
    func onlyParameter(_ name: String) throws(Problem) -> String? {
        if let unknown = uri.queryParameters.first(where: { $0.key != name }) {
            throw .invalid(
                field: String(unknown.key),
                "is not known.",
                remedy: "Leave it out or use one of: \(name)."
            )
        }
        return uri.queryParameters[Substring(name)].map { String($0) }
    }
}
