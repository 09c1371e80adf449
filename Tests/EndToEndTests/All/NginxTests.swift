// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct NginxTests {
        @Test(.requiresRoot) func `nginx serves only the pictures of the README recipe`() async throws {
            try await Site.with { site in
                // The recipe with other folders, without the user tintype and, without a device, with the test pattern.
                let camera = Machine.device == nil ? "pattern" : "front"
                let here = { (text: String) in
                    text.replacing("/srv/", with: "\(site.folder)/srv/").replacing("/etc/", with: "\(site.folder)/etc/")
                        .replacing("/dev/video0", with: Machine.device ?? "/dev/video0").replacing("sudo ", with: "")
                        .replacing(" -o tintype -g tintype", with: "")
                }
                let lines = try Programs.block("folder", of: "README.md").split(separator: "\n").filter {
                    !$0.contains("systemctl")
                }
                let made = try await site.shell("umask 077; " + here(lines.joined(separator: "\n")))
                #expect(made.status == 0, "\(made.errors)")
                let file = try site.write(
                    here(try Programs.block("tintyped.yaml", of: "README.md")),
                    to: "tintyped.yaml"
                )
                let daemon = try site.start(
                    "/bin/bash",
                    [
                        // The unit's UMask=.
                        "-c", "umask 027; exec \"$0\" \"$@\"", Programs.daemon, "--config", file, "--socket",
                        site.socket,
                        "--state", "\(site.folder)/state", "--pattern", "YUYV:640x360@30",
                    ]
                )
                try await eventually("tintyped serves") {
                    (try? await site.client.health()) != nil || daemon.poll() != nil
                }
                if Machine.device == nil { #expect(try await site.tintype("still", camera).status == 0) }
                let path: String = try await eventually("a picture is stored: \(daemon.errors)") {
                    try? await site.client.frames(FrameQuery()).frames.first?.still.path
                }
                let pictures = "\(site.folder)/srv/tintype"
                let name = try #require(path.hasPrefix("\(pictures)/\(camera)/") ? path.dropFirst(pictures.count) : nil)

                try await site.startNginx(here(try Programs.block("nginx.conf", of: "README.md")))
                for name in [String(name), "/\(camera)/latest.jpg"] {
                    let got = try await site.shell(
                        "curl -fsSD header.txt --unix-socket www/sock http://localhost\(name) -o got.jpg"
                    )
                    #expect(got.status == 0, "\(name): \(got.errors)")
                    let same = try await site.shell("cmp got.jpg '\(path)'")
                    #expect(same.status == 0, "\(same.text)\(same.errors)")
                    try await site.expectWhole("\(site.folder)/got.jpg", name)
                    let header = try String(contentsOfFile: "\(site.folder)/header.txt", encoding: .utf8)
                    #expect(header.contains("Cache-Control: no-cache") == name.hasSuffix("/latest.jpg"), "\(header)")
                }
                // All of these exist and are readable, apart from the folder listings.
                let hidden = try await site.shell(
                    """
                    cd srv/tintype; mkdir -p .incoming; cp '\(path)' .incoming/a.jpg; cp '\(path)' \(camera)/.b.jpg
                    chmod 755 .incoming; chmod 644 .incoming/a.jpg \(camera)/.b.jpg catalog.sqlite
                    for name in '' catalog.sqlite \(camera)/ .incoming/a.jpg \(camera)/.b.jpg; do
                        curl -sS -o /dev/null -w '%{http_code} ' --unix-socket ../../www/sock "http://localhost/$name"
                    done
                    """
                )
                #expect(hidden.text == "404 404 404 404 404 ", "\(hidden.text)\(hidden.errors)")
            }
        }
    }
}

extension Site {
    /// Starts Debian's nginx as www-data, the user of its workers, with one server at the socket `www/sock`.
    fileprivate func startNginx(_ server: String) async throws {
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let file = try write(
            """
            daemon off; master_process off; pid \(folder)/www/pid; error_log stderr;
            events {}
            http {
            access_log off; \(kinds.map { "\($0)_temp_path \(folder)/www/\($0);" }.joined(separator: " "))
            \(server.replacing("listen 127.0.0.1:8080;", with: "listen unix:\(folder)/www/sock;"))
            }

            """,
            to: "nginx.conf"
        )
        let made = try await shell("install -d -o www-data www; chmod 755 .; chmod 644 nginx.conf")
        #expect(made.status == 0, "\(made.errors)")
        let user = ["--reuid", "www-data", "--regid", "www-data", "--clear-groups"]
        let nginx = try start("/usr/bin/setpriv", user + ["/usr/sbin/nginx", "-e", "stderr", "-c", file])
        try await eventually("nginx listens") {
            if let status = nginx.poll() { throw Child.Failure(description: "nginx: \(status), \(nginx.errors)") }
            return try await shell("curl -sS --unix-socket www/sock http://localhost/").status == 0
        }
    }
}
