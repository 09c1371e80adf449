// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct RouteTests {
    @Test(arguments: Transport.allCases)
    func `health reports version, status and reasons`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let reply = try await api("GET /healthz")
            #expect(reply.status == 200)
            let health = try reply.value(Health.self)
            #expect(health.version == "1.2.3")
            #expect(health.status == .degraded)
            #expect(health.reasons?.map(\.code) == [.spoolFull, .driverStuck, .cameraAlarm])
        }
    }

    @Test(arguments: Transport.allCases)
    func `health gets 503 if no camera works`(transport: Transport) async throws {
        try await withAPI(transport, cameras: FakeCameras(all: [Samples.status])) { api in
            let reply = try await api("GET /healthz")
            #expect(reply.status == 503)
            #expect(try reply.value(Health.self).status == .failing)
        }
    }

    @Test(arguments: Transport.allCases)
    func `camera names in paths are percent-decoded`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            for (path, name) in [("T%C3%BCr", "Tür"), ("..%2fx", "../x"), ("100%25", "100%"), ("%ff", "%ff")] {
                let detail = try await api("GET /v1/cameras/\(path)").problem.detail
                #expect(detail == "There is no camera \(name).")
            }
            #expect(try await api("GET /v1/cameras/p%61ttern").status == 200)
            #expect(try await api("GET /v1/cameras/p%61ttern/controls/profiles/n%69ght").status == 200)
            #expect(try await api("GET /v1/frames/\(Samples.id)".replacing("-", with: "%2D")).status == 200)
        }
    }

    @Test(arguments: Transport.allCases)
    func `cameras and formats are listed`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let list = try await api("GET /v1/cameras")
            #expect(list.headers["content-type"] == "application/json")
            let all = CameraList(cameras: [Samples.status, Samples.idle], unconfigured: [Samples.unconfigured])
            #expect(try list.value(CameraList.self) == all)
            let one = try await api("GET /v1/cameras/pattern")
            #expect(try one.value(CameraStatus.self) == Samples.status)
            let formats = try await api("GET /v1/cameras/pattern/formats")
            #expect(try formats.value(FormatList.self).formats == [Samples.format])
        }
    }

    @Test(arguments: Transport.allCases)
    func `a still follows the options in the body`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let plain = try await api("POST /v1/cameras/pattern/stills")
            #expect(plain.status == 201)
            #expect(plain.headers["location"] == "../../frames/\(Samples.id)")
            let record = try plain.value(StillList.self).stills
            #expect(record == [Samples.still(kept: true).record])
            let other = try await api(
                "POST /v1/cameras/pattern/stills",
                body: #"{"fresh":{"maxAgeMs":250},"keep":false,"quality":7}"#
            )
            #expect(other.status == 201)
            #expect(other.headers["location"] == nil)
        }
        #expect(
            cameras.stills.calls == [
                StillRequest(),
                StillRequest(fresh: .maxAge(.milliseconds(250)), rendering: ImageOptions(quality: 7), keep: false),
            ]
        )
    }

    @Test(arguments: Transport.allCases)
    func `an examination follows the options in the body`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let plain = try await api("POST /v1/cameras/pattern/examine")
            #expect(plain.status == 200)
            #expect(try plain.value(Examination.self) == Samples.examination)
            #expect(
                try await api("POST /v1/cameras/pattern/examine", body: #"{"frames":7,"deadlineMs":1500}"#).status
                    == 200
            )
            #expect(try await api("POST /v1/cameras/garden/examine").status == 404)
        }
        #expect(
            cameras.examinations.calls == [
                ExaminationRequest(), ExaminationRequest(frames: 7, deadline: .milliseconds(1500)),
            ]
        )
    }

    @Test(arguments: Transport.allCases)
    func `a still has its record in the header fields`(transport: Transport) async throws {
        let cameras = FakeCameras()
        try await withAPI(transport, cameras: cameras) { api in
            let reply = try await api(
                "GET /v1/cameras/pattern/still.jpg?fresh=next&deadlineMs=1500.5&quality=80&keep=true&durability=data"
            )
            #expect(reply.status == 200)
            #expect(reply.body == Samples.still().picture)
            let expected = [
                "content-type": "image/jpeg", "content-length": "50000", "cache-control": "no-store",
                "etag": "\"\(Samples.id)\"", "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                "tintype-id": "\(Samples.id)", "tintype-camera": "pattern", "tintype-sequence": "42",
                "tintype-captured-at": "1994-11-06T08:49:37.250000Z",
                "tintype-captured-monotonic-ns": "81234567890123", "tintype-timestamp-source": "startOfExposure",
                "tintype-age-ms": "12.345", "tintype-waited-ms": "7", "tintype-stored": "durable",
                "tintype-path": "/spool/pattern/a.jpg", "tintype-width": "640", "tintype-height": "480",
                "tintype-uncertainty-ms": "1", "tintype-lead-ms": "40", "tintype-skipped": "stale=1",
                "tintype-settled": "false",
                "tintype-verdict": "tolerated", "tintype-faults": "truncated, size", "tintype-appearance": "black",
                "tintype-tags": "door, night", "tintype-average": "4", "tintype-gap-ms": "812.5",
                "tintype-focus": "35", "tintype-deinterlaced": "weave", "tintype-color-assumed": "matrix, range",
                "tintype-recompressed": "true",
                "tintype-color": "matrix=bt601, primaries=srgb, range=limited, transfer=srgb",
                "tintype-sha256": String(repeating: "0a", count: 32),
                "tintype-phases-ms": "open=0, settle=0, wait=0, encode=0, store=0",
            ]
            #expect(expected.count { $0.key.hasPrefix("tintype-") } == StillRecord.headerFields.count)
            for (name, value) in expected { #expect(reply.headers[name] == value, "\(name)") }
            let plain = try await api("GET /v1/cameras/pattern/still.jpg")
            #expect(plain.headers["tintype-path"] == nil)
            #expect(plain.headers["tintype-stored"] == "no")
            _ = try await api("GET /v1/cameras/pattern/still.jpg?maxAgeMs=0")
            _ = try await api(
                "GET /v1/cameras/pattern/still.jpg?crop=64x48+1+2&overlay=%25H%3A%25M+%26%2B&tags=a,b&atMs=-1.5"
            )
        }
        #expect(
            cameras.stills.calls == [
                StillRequest(
                    fresh: .next,
                    deadline: .microseconds(1_500_500),
                    rendering: ImageOptions(quality: 80),
                    keep: true,
                    durability: .data
                ),
                StillRequest(keep: false), StillRequest(fresh: .maxAge(.zero), keep: false),
                StillRequest(
                    fresh: .at(.microseconds(-1500)),
                    rendering: ImageOptions(crop: CropRectangle("64x48+1+2"), overlay: "%H:%M &+"),
                    keep: false,
                    tags: ["a", "b"]
                ),
            ]
        )
    }

    @Test(arguments: Transport.allCases)
    func `a stored frame is served as a record and an immutable image`(transport: Transport) async throws {
        try await withAPI(transport) { api in
            let record = try await api("GET /v1/frames/\(Samples.id)")
            let frame = try record.value(FrameRecord.self)
            #expect(frame == Samples.frame(Samples.still(kept: true).record))
            // The record also decodes as that of a still.
            #expect(try record.value(StillRecord.self) == frame.still)
            let image = try await api("GET /v1/frames/\(Samples.id)/image")
            #expect(image.body == Samples.still().picture)
            #expect(image.headers["cache-control"] == "private, max-age=31536000, immutable")
        }
    }
}
