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
                        otherMediaTypes: ["text/css", "image/svg+xml"]
                    )
                ],
                failures: [.notFound]
            ) { request, context in
                let name = try context.parameters.require("file")
                guard let file = files[name] else { throw Problem.noSuchPath(request.uri.path) }
                return response(of: file, mediaType(of: name))
            }
        ]
    }

    /// The files by their names.
    private static let files: [String: [UInt8]] = [
        "access.js": PackageResources.access_js,
        "api.js": PackageResources.api_js,
        "cameras.js": PackageResources.cameras_js,
        "confirm.js": PackageResources.confirm_js,
        "control.js": PackageResources.control_js,
        "controls.js": PackageResources.controls_js,
        "dom.js": PackageResources.dom_js,
        "events.js": PackageResources.events_js,
        "faults.js": PackageResources.faults_js,
        "filter.js": PackageResources.filter_js,
        "format.js": PackageResources.format_js,
        "frame.js": PackageResources.frame_js,
        "frames.js": PackageResources.frames_js,
        "health.js": PackageResources.health_js,
        "icon.svg": PackageResources.icon_svg,
        "live.js": PackageResources.live_js,
        "login.js": PackageResources.login_js,
        "main.js": PackageResources.main_js,
        "picture.js": PackageResources.picture_js,
        "places.js": PackageResources.places_js,
        "style.css": PackageResources.style_css,
        "tile.js": PackageResources.tile_js,
    ]

    private static func mediaType(of file: String) -> String {
        switch file.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/javascript; charset=utf-8"
        }
    }

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
