// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct DemoTests {
        private struct Running {
            let demo: Child
            /// `http://127.0.0.1:PORT`.
            let place: String
            let token: String
            let socket: String
        }

        private static func temporary(_ site: Site) throws -> String {
            let folder = "\(site.folder)/t"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return folder
        }

        /// Starts a demo and reads what it prints.
        private static func start(_ site: Site) async throws -> Running {
            let (arguments, environment) = (["--demo", "--stop-limit", "30s"], ["TMPDIR": try temporary(site)])
            let demo = try site.start(Programs.daemon, arguments, environment: environment)
            let link = /(http:\/\/127\.0\.0\.1:[0-9]+)\/#token=(tt_[A-Za-z0-9_-]+)\n[^$]* --socket ([^ ]+) [^$]*removes/
            return try await eventually("the demo prints its link: \(demo.output)\(demo.errors)") {
                if let status = demo.poll() {
                    throw Child.Failure(description: "the demo ended with \(status): \(demo.errors)")
                }
                return demo.output.firstMatch(of: link).map {
                    Running(demo: demo, place: String($0.1), token: String($0.2), socket: String($0.3))
                }
            }
        }

        /// Ends it, and expects that nothing of it is left.
        private static func stop(_ running: Running, _ site: Site, by signal: Int32) async throws {
            running.demo.signal(signal)
            let outcome = try await running.demo.outcome()
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary(site)).isEmpty)
            #expect(try await site.shell("curl -s \(running.place)/ || echo gone").text == "gone\n")
        }

        @Test func `a demo stores pictures of motion and of a schedule, and leaves nothing behind`() async throws {
            try await Site.with { site in
                let running = try await Self.start(site)
                let (place, jar) = (running.place, "'\(site.folder)/jar'")
                let page = try await site.shell("curl -sS \(place)/")
                #expect(page.text.contains("<html"), "\(page.errors)")
                let login = "curl -sS -o /dev/null -w '%{http_code}' -c \(jar) \(place)/v1/login"
                #expect(try await site.shell("\(login) -d '{\"token\": \"tt_wrong\"}'").text == "401")
                #expect(try await site.shell("\(login) -d '{\"token\": \"\(running.token)\"}'").text == "204")
                for camera in ["yard", "workshop"] {
                    let path = "\(site.folder)/\(camera).jpg"
                    let still = "\(place)/v1/cameras/\(camera)/still.jpg?deadlineMs=600000"
                    #expect(try await site.shell("curl -sSf -b \(jar) -o '\(path)' '\(still)'").status == 0)
                    try await site.expectWhole(path, camera)
                    #expect(try await site.size(of: path) == "1280x720")
                }
                let environment = ["TINTYPE_SOCKET": running.socket]
                func tintype(_ arguments: String...) async throws -> String {
                    try await site.start(Programs.command, arguments, environment: environment).outcome().text
                }
                let watch = ["watch", "--json", "--after", "0", "--kind", "frame-stored"]
                let events = try site.start(Programs.command, watch, environment: environment)
                for filter in ["camera:yard", "camera:workshop"].flatMap({ ["\($0), tag:lapse", "\($0), tag:motion"] })
                {
                    var seen = -1
                    try await eventually("there is a picture with \(filter)") {
                        let count = events.output.count { $0 == "\n" }
                        guard count > seen else { return false }
                        seen = count
                        return try await tintype("frames", "list", "--where", filter).contains("1280x720")
                    }
                }
                try await Self.stop(running, site, by: SIGTERM)
            }
        }

        @Test(arguments: [SIGINT, SIGHUP])
        func `an interrupted demo, and one whose terminal is closed, leave nothing`(_ signal: Int32) async throws {
            try await Site.with { site in try await Self.stop(try await Self.start(site), site, by: signal) }
        }

        @Test func `a demo removes the folder of one that was killed, and works beside a running one`() async throws {
            try await Site.with { site in
                let killed = try await Self.start(site)
                let beside = try await Self.start(site)
                #expect(killed.place != beside.place && killed.socket != beside.socket)
                killed.demo.end()
                #expect(FileManager.default.fileExists(atPath: killed.socket))
                let last = try await Self.start(site)
                #expect(!FileManager.default.fileExists(atPath: killed.socket))
                #expect(FileManager.default.fileExists(atPath: beside.socket))
                beside.demo.signal(SIGTERM)
                #expect(try await beside.demo.outcome().status == 0)
                try await Self.stop(last, site, by: SIGTERM)
            }
        }
    }
}
