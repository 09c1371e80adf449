// SPDX-License-Identifier: Apache-2.0
internal import Testing

@testable internal import TintypeModel

struct UploadTargetTests {
    private static let picture = WorkPicture(
        id: FrameID(high: 0x019b_76da_a800_7000, low: 0x8000_0000_0000_0001),
        camera: "front",
        path: "2026/11/21/143012.345678Z-000000007.jpg",
        bytes: 4,
        capturedAt: Timestamp(microseconds: 1_795_271_412_345_678)
    )

    @Test(arguments: [
        ("s3:bucket/site/{camera}/{path}", "s3:bucket/site", "front/2026/11/21/143012.345678Z-000000007.jpg"),
        ("nas:{id}.jpg", "nas:", "019b76da-a800-7000-8000-000000000001.jpg"),
        ("nas:/{id}.jpg", "nas:/", "019b76da-a800-7000-8000-000000000001.jpg"),
        ("nas:a/x-{id}.jpg", "nas:a", "x-019b76da-a800-7000-8000-000000000001.jpg"),
        (":local:/mnt/{camera}/{date}/{time}.jpg", ":local:/mnt", "front/2026-11-21/143012.345678Z.jpg"),
        ("httpd:a/{id}.jpg", "httpd:a", "019b76da-a800-7000-8000-000000000001.jpg"),
    ])
    func `a target of rclone is a folder and a name below it`(text: String, base: String, name: String) throws {
        let target = try UploadTarget(text)
        #expect(target.means == .rclone)
        #expect(target.base == base)
        #expect(target.name(of: Self.picture) == name)
        #expect(target.publicPart == text)
    }

    @Test func `an address has its fields percent-encoded, and a public part without path and user`() throws {
        let target = try UploadTarget("https://ann:secret@example.org/{camera}/{path}?key=k")
        var picture = Self.picture
        picture.camera = "a b"
        #expect(target.hasUser)
        #expect(target.means == .http)
        #expect(
            target.name(of: picture)
                == "https://ann:secret@example.org/a%20b/2026/11/21/143012.345678Z-000000007.jpg?key=k"
        )
        #expect(target.publicPart == "https://example.org")
        let fixed = try UploadTarget("https://example.org/snapshot")
        #expect(fixed.name(of: picture) == "https://example.org/snapshot")
    }

    @Test func `braces in a path are no fields`() throws {
        var picture = Self.picture
        picture.path = "{id}/{camera}.jpg"
        #expect(try UploadTarget("s3:b/{camera}/{path}").name(of: picture) == "front/{id}/{camera}.jpg")
    }

    @Test(arguments: ["https://ann:secret@example.org/{id}", "https://example.org/{id}?to=a@b"])
    func `a job by command has no password in its address, since it is stored`(to: String) throws {
        let body = Array(#"{"where": "all()", "to": "\#(to)"}"#.utf8)
        guard to.contains("secret") else {
            #expect(try WireFormat.decode(JobRequest.self, from: body).options.to == to)
            return
        }
        let problem = #expect(throws: Problem.self) { try WireFormat.decode(JobRequest.self, from: body) }
        #expect(problem?.detail.contains("password") == true, "\(problem?.detail ?? "")")
    }

    @Test(arguments: [
        ("bucket/x/{id}", "is no target"), ("-x:{id}", "is no target"), ("", "is no target"),
        ("http:{id}", "is no target"), ("s3:b/{name}", "unknown field"),
        ("s3:b/{camera}.jpg", "gives several pictures one name"), ("s3:b/{date}.jpg", "gives several pictures"),
        ("s3:b/{id}/../x", "“..”"), ("s3:b/{id}//x", "empty name"), ("https://host/{camera}", "gives several pictures"),
        ("s3:b/{path}", "gives several pictures"), ("s3:b/{date}/{time}", "gives several pictures"),
        ("s3:b/{id", "unknown field"), ("s3:b/{i{camera}d}", "unknown field"), ("ftp://host/{id}", "is no target"),
    ])
    func `a text that is no target, or gives no unique names, is refused`(text: String, detail: String) {
        let fault = #expect(throws: UploadTarget.Fault.self) { try UploadTarget(text) }
        #expect(fault?.detail.contains(detail) == true, "\(fault?.detail ?? "")")
    }
}
