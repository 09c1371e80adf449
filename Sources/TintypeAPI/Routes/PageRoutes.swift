// SPDX-License-Identifier: Apache-2.0
internal import CPage
internal import HTTPTypes
internal import Hummingbird
internal import TintypeModel

/// The web page and its files, without camera data: the page fetches it through the API like any other client.
enum PageRoutes {
    static var page: Response { response(of: EmbeddedFile.index, "text/html; charset=utf-8") }

    static var routes: [Route] {
        [
            .get("/page/{file}", "pageFile", .everybody, [.notFound])
                .about("A file of the page")
                .replies([.content(["text/javascript", "text/css", "image/svg+xml"], "A file.")]) { request, context in
                    let name = try context.segment("file")
                    guard let file = EmbeddedFile.named(name) else { throw Problem.noSuchPath(request.uri.path) }
                    return response(of: file, mediaType(of: name))
                }
        ]
    }

    private static func mediaType(of file: String) -> String {
        switch file.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/javascript; charset=utf-8"
        }
    }

    /// Permitted sources and embedding of the page (Content Security Policy Level 3).
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'none'
        """

    private static func response(of bytes: ByteBuffer, _ type: String) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        headers[.known("Content-Security-Policy")] = policy
        headers[.known("Referrer-Policy")] = "no-referrer"
        headers[.known("X-Content-Type-Options")] = "nosniff"
        return Response(bytes, headers)
    }
}

enum EmbeddedFile {
    static var index: ByteBuffer { unsafe bytes(of: cpage_index) }

    static func named(_ name: String) -> ByteBuffer? {
        for place in 0..<cpage_file_count where unsafe String(cString: cpage_files[place].name) == name {
            return unsafe bytes(of: cpage_files[place])
        }
        return nil
    }

    private static func bytes(of file: cpage_file) -> ByteBuffer {
        unsafe ByteBuffer(bytes: UnsafeRawBufferPointer(start: file.bytes, count: file.size))
    }
}
