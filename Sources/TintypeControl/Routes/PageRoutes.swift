// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// The page and its files, which tell nothing of cameras: what it shows it asks for as every client does.
enum PageRoutes {
    /// The page.
    static let page = response(of: PackageResources.index_html, "text/html; charset=utf-8")

    static var routes: [Route] {
        [
            Route(
                .get,
                "/page/{file}",
                "pageFile",
                .everybody,
                "A file of the page",
                replies: [
                    RouteReply(
                        status: 200,
                        description: "The file.",
                        mediaType: "text/javascript",
                        schema: String.schema,
                        otherMediaType: "text/css"
                    )
                ],
                failures: [.notFound]
            ) { request, context in
                guard let file = files[try context.parameters.require("file")] else {
                    throw Problem.noSuchPath(request.uri.path)
                }
                return file
            }
        ]
    }

    private static let files: [String: Response] = [:]

    /// What a page of ours may load, and who may show it (Content Security Policy Level 3).
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'self'; frame-ancestors 'none'
        """

    private static func response(of bytes: [UInt8], _ type: String) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        headers[.known("Content-Security-Policy")] = policy
        headers[.known("Referrer-Policy")] = "no-referrer"
        headers[.known("X-Content-Type-Options")] = "nosniff"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
