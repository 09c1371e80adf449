// SPDX-License-Identifier: Apache-2.0

/// Live pictures of several cameras in one reply.
package struct CombinedStreamRequest: Hashable, Sendable {
    /// Nil for all cameras of the client.
    package var cameras: [String]?
    /// Cameras that may be opened; the others are shown while they run.
    package var opened: [String]
    package var stream: StreamRequest

    private static let ownFields: [WireField<Self>] = [
        WireField("camera", of: [String].schema, "Names, comma-separated; missing for all cameras of the client."),
        WireField(
            "open",
            of: [String].schema,
            "Names of cameras that are opened for the reply, comma-separated; the others are shown while they run."
        ),
    ]

    /// Fields of ``StreamRequest`` without those that the parts of several cameras cannot have.
    package static let queryFields: [WireField<Self>] =
        ownFields
        + StreamRequest.queryFields.filter { !["open", "placeholder", "advanceHeaders"].contains($0.name) }.map {
            field in
            guard field.name == "deadlineMs" else { return field.within(\.stream) }
            return WireField(field.name, of: field.valueSchema, "The longest time without a picture, or its problem.")
        }

    /// Reads the decoded query parameters of `GET /v1/stream.mjpg`; throws `invalid-request` with the parameter's name.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        let fields = FieldReader<Keys>(query: try [String: FieldValue](query: parameters, of: Self.queryFields))
        func names(_ key: Keys) throws(Problem) -> [String]? {
            let remedy = "Give names with a comma between two."
            return try fields.texts(key, "is no list of cameras.", remedy: remedy) { $0.contains("") ? nil : $0 }
        }
        cameras = try names(.camera)
        opened = try names(.open) ?? []
        if let cameras, let other = opened.first(where: { !cameras.contains($0) }) {
            let remedy = "Name it in camera too, or leave it out."
            throw .invalid(field: "open", "names “\(other)”, which is not in camera.", remedy: remedy)
        }
        stream = try StreamRequest(query: parameters.filter { Keys(rawValue: $0.name) == nil })
    }

    private enum Keys: String, CodingKey, CaseIterable { case camera, open }
}
