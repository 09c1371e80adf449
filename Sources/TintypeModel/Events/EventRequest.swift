// SPDX-License-Identifier: Apache-2.0

package struct EventRequest: Hashable, FieldsReadable, Sendable {
    /// Nil for all events, including those without a camera.
    package var cameras: [String]?
    package var kinds: [Event.Kind]?
    /// ID of the last event that the client has, 0 for none; nil for new events only.
    package var after: Int?

    package init(cameras: [String]? = nil, kinds: [Event.Kind]? = nil) { (self.cameras, self.kinds) = (cameras, kinds) }

    /// True if the request selects `event`; always true for a gap.
    package func selects(_ event: Event) -> Bool {
        guard event.kind != .gap else { return true }
        return cameras.map { names in event.camera.map(names.contains) ?? false } ?? true
            && kinds?.contains(event.kind) ?? true
    }

    /// Header field with the ID of the last event that the client received (HTML, 9.2.4).
    package static let lastIDField = "Last-Event-ID"
    /// Media type of a server-sent event stream (HTML, 9.2).
    package static let mediaType = "text/event-stream"

    package enum CodingKeys: String, CodingKey, CaseIterable { case camera, kind, after }

    package static let queryFields: [WireField<EventRequest>] = [
        WireField("camera", of: [String].schema, "Names, comma-separated; missing for all events, also of no camera."),
        WireField("kind", of: [Event.Kind].schema, "The kinds, with a comma between two; missing for all."),
        WireField(
            "after",
            of: Int.schema,
            """
            Like Last-Event-ID, which EventSource cannot send with its first request, and which is used if both are given; \
            0 for all events that the daemon keeps.
            """,
            .notNegative
        ),
    ]

    /// Reads the decoded query parameters of `GET /v1/events`; throws ``Problem`` naming the parameter.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        try self.init(in: FieldReader(query: [String: FieldValue](query: parameters, of: Self.queryFields)))
    }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        cameras = try fields.texts(.camera, "is no list of cameras.", remedy: "Give names with a comma between two.") {
            $0.contains("") ? nil : $0
        }
        kinds = try fields.texts(
            .kind,
            "is no list of kinds.",
            remedy: "Give some of \(Event.Kind.words).",
            nearest: Event.Kind.nearest
        ) { words in
            let kinds = words.compactMap(Event.Kind.init(rawValue:))
            return kinds.count == words.count ? kinds : nil
        }
        after = try fields.integer(.after, in: 0...Int.max)
    }

    package var query: [(name: String, value: String)] {
        [("camera", cameras), ("kind", kinds?.map(\.rawValue)), ("after", after.map { ["\($0)"] })]
            .compactMap { name, values in values.map { (name, $0.joined(separator: ",")) } }
    }
}
