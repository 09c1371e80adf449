// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeAPI

/// Conditional requests and HEAD (RFC 9110, 9.3.2 and 13).
struct ConditionTests {
    private static let paths = ["/v1/cameras/pattern/still.jpg?fresh=latest", "/v1/frames/\(Samples.id)/image"]
    private static let other = "\"01937a2e-7c11-7abc-8def-0123456789ab\""

    @Test(arguments: Transport.allCases, paths)
    func `a matching If-None-Match gets 304 without a body`(transport: Transport, path: String) async throws {
        try await withAPI(transport) { api in
            let tag = try #require(try await api("GET \(path)").headers["etag"])
            for condition in [tag, "W/\(tag)", "*", "\(Self.other), \(tag)", "\"a,b\" , W/\(tag)"] {
                for method in ["GET", "HEAD"] {
                    let reply = try await api("\(method) \(path)", headers: ["If-None-Match": condition])
                    #expect(reply.status == 304, "\(method) \(condition)")
                    #expect(reply.body.isEmpty)
                    // On the wire, a 304 has no Content-Length.
                    if transport != .router { #expect(reply.headers["content-length"] == nil) }
                    #expect(reply.headers["etag"] == tag)
                }
            }
            for condition in [Self.other, tag.filter { $0 != "\"" }, "\(tag) \(tag)", "\(tag)x", "", "\"*\""] {
                let reply = try await api("GET \(path)", headers: ["If-None-Match": condition])
                #expect(reply.status == 200, "\(condition)")
                #expect(reply.body == Samples.still().picture)
            }
        }
    }

    @Test(arguments: Transport.allCases, paths)
    func `HEAD has the header fields of GET and no body`(transport: Transport, path: String) async throws {
        try await withAPI(transport) { api in
            let (get, head) = (try await api("GET \(path)"), try await api("HEAD \(path)"))
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers["content-length"] == "\(get.body.count)")
            #expect(head.headers.filter { $0.key != "date" } == get.headers.filter { $0.key != "date" })
            let missing = try await api("HEAD /nothing")
            #expect(missing.status == 404 && missing.body.isEmpty)
            // A missing frame gets 404, not 304.
            let gone = "GET /v1/frames/01937a2e-7c11-7abc-8def-0123456789ab/image"
            #expect(try await api(gone, headers: ["If-None-Match": "*"]).status == 404)
        }
    }

    @Test func `a conditional HEAD has the header fields of the frame`() async throws {
        let cameras = FakeCameras()
        try await withAPI(.router, cameras: cameras) { api in
            let reply = try await api(
                "HEAD /v1/cameras/pattern/still.jpg?maxAgeMs=200",
                headers: ["If-None-Match": "\"\(Samples.id)\""]
            )
            #expect(reply.headers["tintype-age-ms"] == "12.345")
            #expect(reply.headers["last-modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(reply.headers["cache-control"] == "no-store")
        }
        #expect(cameras.stills.calls == [StillRequest(fresh: .maxAge(.milliseconds(200)), keep: false)])
    }

    @Test(arguments: Transport.allCases)
    func `HEAD with keep=true is refused without taking a still`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let path = "/v1/cameras/pattern/still.jpg?keep=true"
            for headers in [[:], ["If-None-Match": "*"]] {
                let head = try await api("HEAD \(path)", headers: headers)
                #expect(head.status == 400 && head.body.isEmpty)
                #expect(head.headers["content-type"] == Problem.mediaType)
            }
            #expect(cameras.stills.calls.isEmpty)
            #expect(try await api("HEAD \(path.replacing("true", with: "false"))").status == 200)
            #expect(try await api("GET \(path)").status == 200)
            #expect(cameras.stills.calls.map(\.keep) == [false, true])
        }
    }

    @Test(arguments: [
        (#""a""#, ["a"]), (#"W/"a""#, ["a"]), (#""a","b""#, ["a", "b"]), (#" "a" , W/"b" ,, "c","#, ["a", "b", "c"]),
        // A tag may contain a comma but no space.
        (#""a, b""#, []), (#""a,b""#, ["a,b"]), (#""""#, [""]), ("a", []), (#""a"#, []), (#"w/"a""#, []),
        (#""a" "b""#, []),
        ("", []),
    ])
    func `entity tags are parsed by RFC 9110`(_ text: String, _ tags: [String]) {
        #expect(EntityTag.list(text) == tags)
    }
}
