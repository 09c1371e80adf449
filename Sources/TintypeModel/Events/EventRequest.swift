// SPDX-License-Identifier: Apache-2.0

package struct EventRequest: Hashable, WireRequest {
    /// Nil for all events, including those without a camera.
    package var cameras: [String]?
    package var kinds: [Event.Kind]?
    /// ID of the last event that the client has, 0 for none; nil for new events only.
    package var after: Int?

    package init() {}

    package init(cameras: [String]?, kinds: [Event.Kind]? = nil) { (self.cameras, self.kinds) = (cameras, kinds) }

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

    package static let fields: [WireField<EventRequest>] = [
        WireField("camera", \.cameras, "Names, comma-separated; missing for all events, also of no camera."),
        WireField("kind", \.kinds, "The kinds, with a comma between two; missing for all."),
        WireField("after", \.after, "As Last-Event-ID, which is used if both are given; 0 for all.", .notNegative),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        guard cameras?.contains("") == true else { return }
        throw .invalid(field: "camera", "is no list of cameras.", remedy: "Give names with a comma between two.")
    }

    package var query: [(name: String, value: String)] {
        [("camera", cameras), ("kind", kinds?.map(\.rawValue)), ("after", after.map { ["\($0)"] })]
            .compactMap { name, values in values.map { (name, $0.joined(separator: ",")) } }
    }
}
