// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct ConfigurationRouteTests {
    private static let path = "/v1/cameras/pattern/configuration"

    @Test(arguments: Transport.allCases)
    func `PUT accepts the reported configuration unchanged`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let told = try await api("GET \(Self.path)")
            #expect(told.status == 200)
            #expect(told.headers["etag"] == "\"7\"")
            let report = try told.value(ConfigurationReport.self)
            #expect(report == Samples.report(Samples.settings))
            let body = String(decoding: try WireFormat.encode(report.configuration), as: UTF8.self)
            let set = try await api("PUT \(Self.path)", headers: ["If-Match": "\"7\""], body: body)
            #expect(set.status == 200)
            #expect(set.headers["etag"] == "\"7\"")
            #expect(try set.value(ConfigurationReport.self) == report)
        }
    }

    @Test func `PUT accepts short forms and fills in defaults`() async throws {
        try await withAPI(.router) { api in
            let body = #"{"format":"YUYV","rate":15,"input":2,"size":"at most 800x600"}"#
            let reply = try await api("PUT \(Self.path)", body: body)
            let settings = try reply.value(ConfigurationReport.self).configuration
            #expect(settings.format.pixelFormats == [.yuyv])
            #expect(settings.format.rate == .near(FrameInterval(framesPerSecond: 15)))
            #expect(settings.format.size == .atMost(FrameSize(width: 800, height: 600)))
            #expect(settings.input == InputWish(input: .index(2)))
            #expect(settings.warmth == .standard)
            let plain = try await api("PUT \(Self.path)", body: "{}")
            let defaults = try plain.value(ConfigurationReport.self).configuration
            #expect(defaults == CameraSettings())
        }
    }

    @Test(arguments: Transport.allCases)
    func `If-Match with an outdated revision gets 412`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let reply = try await api("PUT \(Self.path)", headers: ["If-Match": "\"6\""], body: "{}")
            #expect(reply.status == 412)
            #expect(try reply.problem.code == .configurationConflict)
            #expect(try await api("PUT \(Self.path)", headers: ["If-Match": "*"], body: "{}").status == 200)
            let odd = try await api("PUT \(Self.path)", headers: ["If-Match": "seven"], body: "{}")
            #expect(odd.status == 400)
            #expect(try odd.problem.field == "If-Match")
        }
    }
}
