// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel
internal import TintypeSystem

extension ControlServices {
    private static let schema: OrderedJSON = [
        "type": "object",
        "properties": [
            "id": ["type": "string", "pattern": "^[0-9]+$"],
            "event": Event.Kind.schema,
            "data": ["type": "string", "contentMediaType": "application/json", "contentSchema": Event.schema],
        ],
    ]

    var eventRoutes: [Route] {
        let texts = EventTexts()
        return [
            Route(
                .get("/v1/events", "watchEvents", .part(.view)),
                "Stream events in one reply, which never ends",
                """
                Server-sent events (text/event-stream): for each event its number in id, its kind in event, and the event as \
                JSON (Event) in data. With the number of the last event that it has, a client gets all later ones, after an \
                event of the kind gap if some are no longer available. Opens no camera.
                """,
                parameters: RouteParameter.query(EventRequest.queryFields) + [
                    RouteParameter.header(
                        EventRequest.lastIDField,
                        "The number of the last event that the client has; missing for new events only.",
                        Int.schema.adding(.notNegative)
                    )
                ],
                replies: [.content(EventRequest.mediaType, "Events.", Self.schema)]
            ) { request, context in
                let wanted = try EventRequest(query: request.parameters)
                let (caller, last) = (try context.caller, try request.lastEventID ?? wanted.after)
                return Response(events: events, as: texts, after: last, by: clock, while: context.isCurrent) { event in
                    wanted.selects(event) && caller.sees(event)
                }
            }
        ]
    }
}

extension Request {
    fileprivate var lastEventID: Int? {
        get throws(Problem) {
            guard let text = headers[.known(EventRequest.lastIDField)], !text.isEmpty else { return nil }
            if let number = Int(text), number >= 0 { return number }
            throw .invalid(
                field: EventRequest.lastIDField,
                "is not the number of an event.",
                remedy: "Give the id of the last event that you have, or leave it out."
            )
        }
    }
}
