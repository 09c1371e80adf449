// SPDX-License-Identifier: Apache-2.0

/// Live pictures of several cameras in one reply.
package struct CombinedStreamRequest: Hashable, WireRequest {
    /// Nil for all cameras of the client.
    package var cameras: [String]?
    /// Cameras that may be opened; the others are shown while they run.
    package var opened: [String] = []
    package var stream = StreamRequest()

    package init() {}

    private static let ownFields: [WireField<Self>] = [
        WireField("camera", \.cameras, "Names, comma-separated; missing for all cameras of the client."),
        WireField("open", \.opened, "Names of those to open; others are shown while they run.", isRequired: false),
    ]
    /// Fields of ``StreamRequest`` without those that the parts of several cameras cannot have.
    package static let fields: [WireField<Self>] =
        ownFields
        + StreamRequest.fields.filter { !["open", "placeholder", "advanceHeaders"].contains($0.name) }.map { field in
            let isLimit = field.name == "deadlineMs"
            let inner = isLimit ? field.described("The longest time without a picture, or its problem.") : field
            return inner.within(\.stream)
        }

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        for (field, names) in [("camera", cameras ?? []), ("open", opened)] where names.contains("") {
            throw .invalid(field: field, "is no list of cameras.", remedy: "Give names with a comma between two.")
        }
        if let cameras, let other = opened.first(where: { !cameras.contains($0) }) {
            let remedy = "Name it in camera too, or leave it out."
            throw .invalid(field: "open", "names “\(other)”, which is not in camera.", remedy: remedy)
        }
        try stream.check(given)
    }
}
