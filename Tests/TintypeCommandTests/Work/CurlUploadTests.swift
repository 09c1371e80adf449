// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct CurlUploadTests {
    @Test func `address, header fields and file go to curl on its standard input`() {
        var options = UploadOptions(to: "")
        options.headers = ["Authorization": #"Bearer a"b\c"#, "content-type": "image/x", "X": "1\nurl = \"evil\""]
        options.limit = 2048
        let picture = Sample.picture(0)
        let time = picture.capturedAt
        let input = CurlUpload(address: "https://h/up?key=s", options: options).input("/c/p.jpg", of: picture)
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n").map { String($0) }
        #expect(lines.contains(#"url = "https://h/up?key=s""#))
        #expect(lines.contains("request = PUT"))
        #expect(lines.contains(#"data-binary = "@/c/p.jpg""#))
        #expect(lines.contains(#"header = "Authorization: Bearer a\"b\\c""#))
        #expect(lines.contains(#"header = "Tintype-Captured-At: \#(time)""#))
        #expect(lines.contains(#"header = "X: 1url = \"evil\"""#))
        #expect(lines.filter { $0.lowercased().contains("content-type") } == [#"header = "content-type: image/x""#])
        #expect(lines.contains("limit-rate = 2048"))
        #expect(CurlUpload.arguments == ["--disable", "--config", "-"])
    }

    @Test(arguments: [
        ("https://h/a.mp4", "b.mp4", "upload-file", "video/mp4"),
        ("http://h/a?x=1", "b.mkv", "upload-file", "video/x-matroska"),
        ("https://h/a.jpg", "b.jpg", "data-binary", "image/jpeg"), ("https://h/", "b.jpg", "data-binary", "image/jpeg"),
    ])
    func `a film is not read whole before it is sent`(
        address: String,
        path: String,
        setting: String,
        type: String
    ) {
        var picture = Sample.picture(0)
        picture.path = path
        let upload = CurlUpload(address: address, options: UploadOptions(to: ""))
        #expect(upload.refusal(of: picture) == nil)
        let input = upload.input("/c/p", of: picture)
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n").map { String($0) }
        #expect(lines.contains(setting == "upload-file" ? #"upload-file = "/c/p""# : #"data-binary = "@/c/p""#))
        #expect(lines.count { $0.hasPrefix("upload-file") || $0.hasPrefix("data-binary") } == 1)
        #expect(lines.contains(#"header = "Content-Type: \#(type)""#))
    }

    @Test(arguments: ["https://h", "https://h/", "https://h/up/", "https://h/up/?x=1", "https://h/up?x=/"])
    func `a film is not sent to an address without a name, to which curl would add that of its file`(address: String) {
        var picture = Sample.picture(0)
        picture.path = "b.mp4"
        let upload = CurlUpload(address: address, options: UploadOptions(to: ""))
        #expect(upload.refusal(of: picture) == "Give the target a name, such as …/{id}.mp4.")
    }

    @Test(arguments: [
        (CInt(0), ["", "201"], CurlUpload.Outcome.delivered), (0, ["200"], .delivered),
        (0, ["404"], .refused("The server answered 404.")), (0, ["413"], .refused("The server answered 413.")),
        (0, ["408"], .failed("The server answered 408.")), (0, ["425"], .failed("The server answered 425.")),
        (0, ["429"], .failed("The server answered 429.")), (0, ["503"], .failed("The server answered 503.")),
        (0, ["507"], .failed("The server answered 507.")),
        (0, ["301"], .failed("The server answered 301. Give its final address as the target.")),
        (0, ["401"], .failed("The server answered 401. Correct the access.")),
        (0, ["403"], .failed("The server answered 403. Correct the access.")),
        (28, ["curl: (28) Timeout", "", "000"], .failed("curl: (28) Timeout")),
        (55, ["200"], .failed("curl ended with status 55.")),
    ])
    func `only a reply of 4xx is final, but for 401, 403, 408, 425 and 429`(
        status: CInt,
        output: [String],
        outcome: CurlUpload.Outcome
    ) {
        #expect(CurlUpload.outcome(status, output) == outcome)
    }
}
