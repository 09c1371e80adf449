// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel
internal import TintypeSystem

extension ControlServices {
    private static let eventSchema: OrderedJSON = [
        "type": "object",
        "properties": [
            "id": ["type": "string", "pattern": "^[0-9]+$"],
            "event": Event.Kind.schema,
            "data": ["type": "string", "contentMediaType": "application/json", "contentSchema": Event.schema],
        ],
    ]

    var daemonRoutes: [Route] {
        let texts = EventTexts()
        return [
            .get("/healthz", "health", .part(.view))
                .about("The health of the daemon, its cameras and its spools")
                .details("Opens no camera and waits for no disk.")
                .replies([.json(Health.self, "Everything works (ok) or not (degraded).")]) { _, context in
                    let caller = try context.caller
                    let cameras = await cameras.cameras().filter { caller.role(for: $0.name) != nil }
                    let health = health(of: cameras, withSpools: caller.role != nil)
                    return try Response(json: health, status: .init(code: health.status.httpStatus))
                },
            .post("/v1/reload", "reload", .role(.admin), [.unsupported, .notInTime])
                .about("Reload the configuration file, completely or not at all")
                .details(
                    """
                    Cameras with an unchanged configuration keep streaming, with the changes made by command; the \
                    others are closed, and reopen with the new one. An invalid configuration is \
                    configuration-unsupported with its file, line and key, and so is one with another socket, state \
                    folder or spool folder, which needs a restart: the old one stays in force.
                    """
                )
                .reply("The new configuration is in force.") { _, _ in try await reload() },
            .get("/v1/hooks", "hooks", .role(.admin))
                .about("The hooks of the configuration, and their results")
                .reply("The hooks.") { _, _ in HookList(hooks: hooks()) },
            .get("/v1/events", "watchEvents", .part(.view))
                .about("Stream events in one reply, which never ends")
                .details(
                    """
                    Server-sent events (text/event-stream): for each event its number in id, its kind in event, and \
                    the event as JSON (Event) in data. With the number of the last event that it has, a client gets \
                    all later ones, after an event of the kind gap if some are no longer available. Opens no camera.
                    """
                )
                .parameters(
                    RouteParameter.query(EventRequest.fields) + [
                        RouteParameter(
                            .header,
                            EventRequest.lastIDField,
                            "The number of the last event that the client has; missing for new events only.",
                            Int.schema.adding(.notNegative)
                        )
                    ]
                )
                .replies([.content([EventRequest.mediaType], "Events.", Self.eventSchema)]) { request, context in
                    let wanted = try EventRequest(query: request.parameters)
                    let (caller, last) = (try context.caller, try request.lastEventID ?? wanted.after)
                    return Response(events: events, as: texts, after: last, by: clock, while: context.isCurrent) {
                        event in
                        wanted.selects(event) && caller.sees(event)
                    }
                },
            .get("/metrics", "metrics", .role(.view))
                .about("Metrics for Prometheus")
                .details("Opens no camera.")
                .replies([.content(["text/plain"], "The text format 0.0.4 of Prometheus.")]) { _, _ in
                    Response(ByteBuffer(string: MetricText.text(await metrics())), .uncached(MetricText.mediaType))
                },
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
