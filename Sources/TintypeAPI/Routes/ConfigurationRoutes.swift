// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    private static let revision = [(name: "ETag", description: "The revision, for If-Match.")]

    var configurationRoutes: [Route] {
        [
            Route(
                .get("/v1/cameras/{camera}/configuration", "configuration", .role(.view), [.notFound]),
                "The configuration of the camera and what the driver granted; opens no camera",
                replies: [.json(ConfigurationReport.self, "The configuration.", headers: Self.revision)]
            ) { _, context in
                let report = try await cameras.configuration(of: context.camera())
                return try Response(configuration: report)
            },
            Route(
                .put("/v1/cameras/{camera}/configuration", "configure", .role(.control), .driver + [.precondition]),
                "Change the configuration, completely or not at all, until the daemon ends",
                """
                A closed camera is opened without a stream to see what the driver grants, and closed again. The \
                stream of an open camera restarts; if the driver refuses, it continues with the old configuration. \
                Requests that wait for a picture keep waiting.
                """,
                parameters: [
                    .init(.header, "If-Match", "The ETag that must still be current, else configuration-conflict.")
                ],
                body: .required(CameraSettings.self, "At most 64 KiB."),
                replies: [.json(ConfigurationReport.self, "The configuration is in force.", headers: Self.revision)]
            ) { request, context in
                let settings: CameraSettings = try await request.required(context.limits)
                let (revision, camera) = (try request.expectedRevision, try context.camera())
                let report = try await cameras.configure(settings, ifRevision: revision, of: camera)
                return try Response(configuration: report)
            },
        ]
    }
}

extension Request {
    /// Revision in `If-Match` (RFC 9110, 13.1.1); nil if any revision is acceptable.
    fileprivate var expectedRevision: Int? {
        get throws(Problem) {
            guard let tag = headers[.ifMatch], tag != "*" else { return nil }
            guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
                let revision = Int(tag.dropFirst().dropLast())
            else {
                throw .invalid(
                    field: "If-Match",
                    "is not the ETag of a configuration.",
                    remedy: "Give the ETag of GET …/configuration as it is, with its quotes, or leave it out."
                )
            }
            return revision
        }
    }
}

extension Response {
    fileprivate init(configuration report: ConfigurationReport) throws {
        try self.init(json: report)
        headers[.eTag] = "\"\(report.revision)\""
    }
}
