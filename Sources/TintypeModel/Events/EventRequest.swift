// SPDX-License-Identifier: Apache-2.0

/// Which events a client is told.
package struct EventRequest: Hashable, FieldsReadable, Sendable {
    /// The cameras whose events it is told; nil for all events, also those of no camera.
    package var cameras: [String]?
    /// The kinds that it is told; nil for all.
    package var kinds: [Event.Kind]?

    /// A request for all events.
    package init(cameras: [String]? = nil, kinds: [Event.Kind]? = nil) {
        self.cameras = cameras
        self.kinds = kinds
    }

    /// Whether an event is among them; a gap always is.
    package func takes(_ event: Event) -> Bool {
        guard event.kind != .gap else { return true }
        return cameras.map { names in event.camera.map(names.contains) ?? false } ?? true
            && kinds?.contains(event.kind) ?? true
    }

    /// The header field with the number of the last event that a client has (HTML, 9.2.4).
    package static let lastIDField = "Last-Event-ID"
    /// The media type of a stream of events (HTML, 9.2).
    package static let mediaType = "text/event-stream"
}

extension EventRequest {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case camera, kind
    }

    /// The parameters of `GET /v1/events`.
    package static let queryFields: [WireField<EventRequest>] = [
        WireField(
            "camera",
            of: [String].schema,
            "The cameras, with a comma between two; missing for all events, also those of no camera."
        ),
        WireField("kind", of: [Event.Kind].schema, "The kinds, with a comma between two; missing for all."),
    ]

    /// Reads the parameters of `GET /v1/events`, decoded; throws ``Problem`` that names the parameter.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        self = try EventRequest(fields: [String: FieldValue](query: parameters, of: Self.queryFields))
    }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        cameras = try fields.texts(.camera, "is no list of cameras.", remedy: "Give names with a comma between two.") {
            $0.contains("") ? nil : $0
        }
        kinds = try fields.texts(.kind, "is no list of kinds.", remedy: "Give some of \(Event.Kind.words).") { words in
            let kinds = words.compactMap(Event.Kind.init(rawValue:))
            return kinds.count == words.count ? kinds : nil
        }
    }

    /// The parameters of `GET /v1/events` that ask for this.
    package var query: [(name: String, value: String)] {
        [("camera", cameras), ("kind", kinds?.map(\.rawValue))]
            .compactMap { name, values in values.map { (name, $0.joined(separator: ",")) } }
    }
}
