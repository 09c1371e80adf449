// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct ExportNamesTests {
    private func frame(_ path: String?, camera: String = "front") -> FrameRecord {
        var frame = Sample.frame
        frame.still.path = path
        frame.still.camera = camera
        return frame
    }

    @Test func `a picture keeps its name from the spool`() {
        var names = ExportNames(folders: ["/spool", "/spool/inner"])
        #expect(names.name(of: frame("/spool/front/2026/a.jpg")) == "front/2026/a.jpg")
        #expect(names.name(of: frame("/spool/inner/back/b.jpg")) == "back/b.jpg")
    }

    @Test func `names are unique and distinct from the manifest`() {
        var names = ExportNames(folders: ["/a", "/b"])
        #expect(names.name(of: frame("/a/front/x.y.jpg")) == "front/x.y.jpg")
        #expect(names.name(of: frame("/b/front/x.y.jpg")) == "front/x.y-2.jpg")
        #expect(names.name(of: frame("/a/front/x.y.jpg")) == "front/x.y-3.jpg")
        #expect(names.name(of: frame("/a/manifest.jsonl")) == "manifest-2.jsonl")
    }

    @Test(
        arguments: [
            nil, "/elsewhere/a.jpg", "/spool/../etc/passwd", "/spool/front//a.jpg", "/spool/.incoming/a.jpg", "/spool/",
            "/spool/front/./a.jpg", "/spoolish/a.jpg", "/spool/front/a\0.jpg",
        ] as [String?]
    )
    func `an unsafe path is replaced by a name from the ID`(path: String?) {
        var names = ExportNames(folders: ["/spool"])
        #expect(names.name(of: frame(path)) == "front/\(Sample.frame.id).jpg")
        #expect(names.name(of: frame(path, camera: "../x")) == "camera/\(Sample.frame.id).jpg")
    }
}
