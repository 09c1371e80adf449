// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeCapture
import TintypeImaging
import TintypeModel
import TintypeSpool

@testable import tintyped

struct ConfigurationReaderTests {
    @Test func `an empty file is the default configuration`() throws {
        for text in ["", "# nothing\n", "---\n", "cameras:\n", "cameras: {}\n"] {
            let configuration = try ConfigurationReader.read(text, file: "f")
            #expect(configuration == DaemonConfiguration())
            #expect(configuration.cameras.isEmpty)
        }
    }

    @Test(arguments: [
        ("https://dash.example", "https://dash.example"), ("HTTP://Dash.Example:8080", "http://dash.example:8080"),
        ("https://dash.example:443", "https://dash.example"), ("http://dash.example:443", "http://dash.example:443"),
        ("http://127.0.0.1:80", "http://127.0.0.1"), ("http://[::1]:8123", "http://[::1]:8123"),
        ("https://dash.example/", nil), ("https://dash.example/a", nil), ("https://*.example", nil), ("*", nil),
        ("null", nil), ("dash.example", nil), ("https://a:b@dash.example", nil), ("https://dash.example:65536", nil),
        ("https://dash.example:", nil), ("ftp://dash.example", nil), ("https://", nil), ("https://a b", nil),
    ])
    func `an origin is read as browsers send it, and anything else refused`(text: String, origin: String?) throws {
        let file = "tcp: {origins: [\"\(text)\"]}"
        if let origin {
            let tcp = try ConfigurationReader.read(file, file: "f").tcp
            #expect(tcp == TCPSettings(address: nil, hosts: [], origins: [origin]))
        } else {
            let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(file, file: "f") }
            #expect("\(try #require(error))".contains("tcp.origins"))
        }
    }

    @Test func `reads every key`() throws {
        let configuration = try ConfigurationReader.read(
            """
            socket: {path: /tmp/a.sock, mode: 0600, group: 44}
            spool: {folder: /tmp/spool, folderMode: "0700", fileMode: 600, owner: pi, group: 33, names: "%s-{id}"}
            spools: {archive: {folder: /mnt/a, fileMode: 0644}, usb: {folder: /mnt/b}}
            state: {folder: /tmp/state}
            cameras:
              zebra: {device: /dev/video1}
              lion: {match: {serial: "0012", usb: 046D:082d, name: "HD*", port: 1-2.3}}
              front:
                device: /dev/v4l/by-id/x
                preset: high
                format: [YUYV, MJPG]
                size: at least 640x480
                rate: exactly 29.97
                input: HDMI 0
                standard: PAL
                crop: 640x480+100+50
                warmth: linger 30s
                look:
                  rotate: 90
                  flip: vertical
                  crop: 400x300+20+10
                  mask: [100x20+0+0, "0,0 240,0 0,320px"]
                  quality: 75
                  overlay: {text: "%F %T", font: /tmp/a.ttf, size: 2.5%, position: upper-right}
                gps: {latitude: -33.5, longitude: 151, altitude: -2.25}
                controls: {auto_exposure: manual, exposure_time_absolute: 10ms, gain: 7, "power line": "60 Hz", hflip: on}
                profiles:
                  night: {gain: 50%}
                  day: {}
                spool: usb
                publish: {every: 5m}
                latest: {every: 2s, width: 640, quality: 70}
                ring: {seconds: 3600, megabytes: 1}
                allowGap: false
                lead: 45ms
                stall: off
                firstFrame: 90s
            """,
            file: "f"
        )
        #expect(configuration.socket == SocketSettings(path: "/tmp/a.sock", mode: 0o600, group: "44"))
        let spool = SpoolSettings(
            folder: "/tmp/spool",
            folderMode: 0o700,
            fileMode: 0o600,
            owner: "pi",
            group: "33",
            names: try FileNames("%s-{id}")
        )
        #expect(configuration.spool == spool)
        let archive = SpoolSettings(name: "archive", folder: "/mnt/a", fileMode: 0o644)
        #expect(configuration.spools == [archive, SpoolSettings(name: "usb", folder: "/mnt/b")])
        #expect(configuration.stateFolder == "/tmp/state")
        let zebra = CameraConfiguration(name: "zebra", source: .node(path: "/dev/video1"))
        let match = CameraMatch([.serial: "0012", .usb: "046D:082d", .name: "HD*", .port: "1-2.3"])
        var session = SessionConfiguration(
            format: FormatWish(
                preset: .high,
                pixelFormats: [.yuyv, .mjpeg],
                size: .atLeast(FrameSize(width: 640, height: 480)),
                rate: RateWish("exactly 29.97")
            ),
            input: InputWish(
                input: .name("HDMI 0"),
                standard: "PAL",
                crop: CropRectangle(size: FrameSize(width: 640, height: 480), left: 100, top: 50)
            ),
            warmth: .linger(.seconds(30)),
            controls: ControlSettings([
                "auto_exposure": .text("manual"), "exposure_time_absolute": .text("10ms"),
                "gain": .integer(7), "power line": .text("60 Hz"), "hflip": .text("on"),
            ]),
            ring: RingConfiguration(seconds: 3600, megabytes: 1, quality: 75),
            allowsGap: false,
            lead: .fixed(.milliseconds(45))
        )
        var look = CameraLook()
        (look.flip, look.turn) = (.vertical, .quarter)
        look.crop = CropRectangle("400x300+20+10")
        look.mask = [try #require(MaskShape("100x20+0+0")), try #require(MaskShape("0,0 50,0 0,50"))]
        look.size = FrameSize(width: 640, height: 480)
        session.look = look
        (session.stall, session.firstFrame) = (.off, .fixed(.seconds(90)))
        (session.quality, session.position) = (75, GeoPosition(latitude: -33.5, longitude: 151, altitude: -2.25))
        let night = ControlSettings(["gain": .text("50%")])
        let style = OverlayStyle(font: "/tmp/a.ttf", percent: 2.5, corner: .upperRight)
        let front = CameraConfiguration(
            name: "front",
            source: .node(path: "/dev/v4l/by-id/x"),
            session: session,
            overlay: OverlaySettings(text: "%F %T", style: style),
            profiles: [
                ControlProfile(name: "day", source: .configuration, controls: ControlSettings()),
                ControlProfile(name: "night", source: .configuration, controls: night),
            ],
            spool: "usb",
            publish: [PublishSchedule(rate: .every(.seconds(300), .start))],
            latest: LatestSettings(every: .seconds(2), width: 640, quality: 70)
        )
        #expect(configuration.cameras == [zebra, CameraConfiguration(name: "lion", source: .match(match)), front])
    }

    @Test(arguments: [
        ("sokcet: {}", "1:1", "sokcet: There is no such key. Did you mean socket?"),
        (
            "xyz: {}", "1:1",
            "Known keys: socket, tcp, access, ready, exitIdle, spool, spools, state, hooks, uploads, jobs, cameras."
        ),
        ("- a", "1:1", "The file is a list."),
        ("socket: /tmp/a", "1:9", "socket: The value is the text \"/tmp/a\"."),
        ("socket: {path: a.sock}", "1:16", "socket.path: \"a.sock\" is not an absolute path"),
        ("socket: {path: 12}", "1:16", "socket.path: The value is the number 12"),
        ("socket: {path: }", "1:16", "socket.path: The value is empty"),
        ("socket: {path: /\(String(repeating: "x", count: 103))}", "1:16", "at most 103 bytes"),
        ("socket: {mode: 0999}", "1:16", "socket.mode: \"0999\" is not a file mode."),
        ("socket: {group: \"a b\"}", "1:17", "socket.group: \"a b\" is not the name or number of a group."),
        ("tcp: {}", "1:6", "tcp: The key port is missing."),
        ("tcp: {address: \"::\", hosts: [a]}", "1:6", "tcp: The key port is missing."),
        ("tcp: {port: 65536}", "1:13", "tcp.port: \"65536\" is not a whole number from 0 to 65535."),
        ("tcp: {port: 1, address: localhost}", "1:25", "tcp.address: \"localhost\" is not an address."),
        ("tcp: {port: 1, hosts: [\"a/b\"]}", "1:23", "tcp.hosts: \"a/b\" is no list of names."),
        ("tcp: {port: 1, origins: [\"https://b/\"]}", "1:25", "tcp.origins: \"https://b/\" is no list of origins."),
        ("access: {}", "1:9", "access: The value is a mapping and not a list of rules."),
        ("access:", "1:8", "access: The value is empty and not a list of rules."),
        ("hooks: {chat: \"https://a/?key=0123\"}", "1:15", "hooks.chat: The value is a text."),
        ("spool: {fileMode: 0440}", "1:19", "spool.fileMode: \"0440\" is not a file mode with which the daemon"),
        ("spool: {folderMode: 0550}", "1:21", "spool.folderMode: \"0550\" is not a file mode with which"),
        ("spool: {folder: [a]}", "1:17", "spool.folder: The value is a list and not an absolute path."),
        ("spool: {owner: a b}", "1:16", "spool.owner: \"a b\" is not the name or number of a user."),
        ("spool: {group: /a}", "1:16", "spool.group: \"/a\" is not the name or number of a group."),
        ("spool: {names: \"../%F\"}", "1:16", "spool.names: “..” in the pattern would leave its folder."),
        ("spool: {names: \"%Q\"}", "1:16", "spool.names: “%Q” is no field that names can have."),
        ("spool: {names: 7}", "1:16", "spool.names: The value is the number 7 and not a pattern for names."),
        ("spools: [a]", "1:9", "spools: The value is a list. Give each a name"),
        ("spools: {a: {}}", "1:10", "spools.a: The key folder is missing."),
        ("spools: {A: {folder: /a}}", "1:10", "spools.A: \"A\" is no name for a further spool."),
        ("spools: {default: {folder: /a}}", "1:10", "spools.default: \"default\" is no name"),
        ("spools: {a: {folder: /a, mode: 0600}}", "1:26", "spools.a.mode: There is no such key."),
        ("cameras: {a: {device: /dev/video0, spool: b}}", "1:43", "cameras.a.spool: \"b\" is not the name of a spool."),
        (
            "spools: {archive: {folder: /a}}\ncameras: {a: {device: /dev/video0, spool: archiv}}", "2:43",
            "cameras.a.spool: \"archiv\" is not the name of a spool. Did you mean archive?"
        ),
        ("cameras: [a]", "1:10", "cameras: The value is a list. Give each a name"),
        ("cameras: {A: {device: /dev/video0}}", "1:11", "\"A\" is not a camera's name. Use 1 to 64 of a-z"),
        ("cameras: {a: {}}", "1:11", "cameras.a.device: The key is missing."),
        ("cameras: {a: {device: /a, match: {serial: A}}}", "1:34", "match: It cannot be combined with device."),
        ("cameras: {a: {device: /a, pattern: GREY}}", "1:36", "pattern: It cannot be combined with device."),
        ("cameras: {a: {match: {serial: A}, pattern: GREY}}", "1:44", "pattern: It cannot be combined with match."),
        ("cameras: {a: {pattern: H264}}", "1:24", "cameras.a.pattern: “H264” is no format of the test pattern."),
        ("cameras: {a: {pattern: [GREY]}}", "1:24", "The value is a list and not a test pattern. Give one such as"),
        ("cameras: {a: {pattern: \"GREY,busy\"}}", "1:24", "\"GREY,busy\" has an option that simulates a fault."),
        ("cameras: {a: {match: {}}}", "1:22", "cameras.a.match: There is no condition. Give one that"),
        ("cameras: {a: {match: C920}}", "1:22", "cameras.a.match: The value is the text \"C920\"."),
        ("cameras: {a: {match: {serail: A}}}", "1:23", "There is no such key. Did you mean serial?"),
        ("cameras: {a: {match: {serial: 0012}}}", "1:31", "number 0012 and cannot be the serial of a camera."),
        (
            "cameras: {a: {match: {serial: \"\"}}}", "1:31",
            "cameras.a.match.serial: \"\" cannot be the serial of a camera."
        ),
        (
            "cameras: {a: {match: {usb: 46d:82d}}}", "1:28",
            "cannot be the usb of a camera. Give one that “tintype cameras” prints, such as 046d:082d."
        ),
        ("cameras: {a: {match: {port: usb1}}}", "1:29", "cameras.a.match.port: \"usb1\" cannot be the port"),
        ("cameras: {a: {match: {path: video0}}}", "1:29", "cameras.a.match.path: \"video0\" cannot be the path"),
        ("cameras: {a: {match: {byID: [a]}}}", "1:29", "The value is a list and cannot be the byID of a camera."),
        ("cameras:\n  a:\n", "2:5", "cameras.a: The value is empty."),
        ("cameras: {1: {device: /a}, \"1\": {device: /b}}", "1:28", "cameras.1: This name is used above."),
        ("spools: {1: {folder: /a}, \"1\": {folder: /b}}", "1:27", "spools.1: This name is used above."),
        (
            "cameras:\n  a: {device: /a}\n  a: {device: /b}", "2:3",
            "\"a\" appears more than once in one mapping, here first. Keep one of them"
        ),
        ("access:\n  - user: a\n    role: view\n    user: b", "2:5", "\"user\" appears more than once"),
        ("cameras: {a: {device: /a}, a: {device: /b}}\nb: 1", "1:11", "once in one mapping, here first. Keep one"),
        ("state: {folder: here}", "1:17", "state.folder: \"here\" is not an absolute path."),
        ("socket: {path: &p /a}\nspool: {folder: *q}", "2:17", "This is not YAML"),
        ("ready: soon", "1:8", "ready: \"soon\" is not one of listening, cameras."),
        ("exitIdle: 500ms", "1:11", "exitIdle: \"500ms\" is no time from 1s to 7d. Give one such as 5m."),
        ("a: b: c", "1:5", "This is not YAML: mapping values are not allowed"),
        ("a: 1\n---\nb: 2", "2:1", "found another document"),
    ])
    func `reports a fault with file, line, column, key and remedy`(
        _ text: String,
        _ place: String,
        _ says: String
    ) {
        expectFault(text, "\(place): ", says)
    }

    @Test(arguments: [
        ("{role: view}", "1:10", ": Nothing says whom the rule is for."),
        ("{user: a, group: b, role: view}", "1:27", ".group: It cannot be combined with user."),
        ("{user: a}", "1:10", ": Nothing says what is allowed."),
        ("{user: a, role: root}", "1:26", ".role: The value is not one of view, still, control, admin."),
        ("{user: a, role: view, cameras: []}", "1:41", ".cameras: The value is no list of cameras."),
        ("{user: a, role: view, frames: \"tag:b\"}", "1:40", ".frames: It cannot be combined with role."),
        ("{user: a, frames: \"tag;b\"}", "1:28", ".frames: The value is not a filter."),
        ("{token: secret, name: a, role: view}", "1:18", ".token: The value is not the SHA-256 of a token."),
        ("tt_0123", "1:10", ": The value is a text."),
        ("{token: \"sha256:\(String(repeating: "0", count: 64))\", role: view}", "1:10", ": The key name is missing."),
        ("{user: a, name: b, role: view}", "1:26", ".name: It cannot be combined with user."),
        ("{user: a, work: true, role: view}", "1:26", ".work: It cannot be combined with role."),
        ("{user: a, work: true, frames: \"tag:b\"}", "1:26", ".work: It cannot be combined with frames."),
        ("{user: a, work: false}", "1:26", ".work: The value is not true."),
    ])
    func `reports a faulty access rule by its key`(_ rule: String, _ place: String, _ says: String) {
        expectFault("access: [\(rule)]", "\(place): access[0]", says)
    }

    @Test(arguments: [
        ("format: MJPEG", 13, "\"MJPEG\" is not a pixel format that pictures can be made from. Did you mean MJPG?"),
        ("format: [MJPG, yuyv]", 13, "Did you mean YUYV?"),
        ("size: 640", 11, "size: \"640\" is not a size. Give width and height"),
        ("rate: fast", 11, "rate: \"fast\" is not a rate. Give frames a second, such as 30 or 29.97, with"),
        ("size: about 1x1", 11, "size: \"about 1x1\" is not a size."),
        ("rate: at most 5", 11, "rate: \"at most 5\" is not a rate."),
        ("preset: hihg", 13, "preset: \"hihg\" is not a preset. Did you mean high?"),
        ("deinterlace: bledn", 18, "deinterlace: \"bledn\" is no way to deinterlace. Did you mean blend?"),
        ("preset: best", 13, "preset: \"best\" is not a preset. Give one of photo, high"),
        ("format: [YUYV, H264]", 13, "format: \"YUYV, H264\" is not a list of pixel formats"),
        ("format: [YUYV, YUYV]", 13, "Give one or several, each once"),
        ("format: []", 13, "is not a list of pixel formats"),
        ("input: 256", 12, "input: \"256\" is not an input."),
        ("standard: P A L", 15, "standard: \"P A L\" is not a standard."),
        ("crop: 640x480", 11, "crop: \"640x480\" is not a rectangle."),
        ("rate: 0", 11, "rate: \"0\" is not a rate."),
        ("warmth: warm", 13, "warmth: \"warm\" is not a warmth. Give hot, cold"),
        ("look: {quality: 0}", 21, "look.quality: \"0\" is not a whole number from 1 to 100."),
        ("look: {quality: 101}", 21, "look.quality: \"101\" is not a whole number from 1 to 100."),
        ("look: {quality: \"90\"}", 21, "Give such a number, without quotes."),
        ("look: {quality: best}", 21, "Give such a number."),
        ("look: {quality: {}}", 21, "look.quality: The value is a mapping and not a whole number"),
        ("quality: 90", 14, "quality: The key is now one of look. Write it below look, as in look: {quality: …}."),
        ("overlay: {}", 14, "overlay: The key is now one of look."),
        ("look: {qualty: 90}", 12, "look.qualty: There is no such key. Did you mean quality?"),
        ("look: turned", 11, "look: The value is the text \"turned\"."),
        ("look: {rotate: 45}", 20, "look.rotate: \"45\" is not a rotation. Give 0, 90, 180 or 270."),
        ("look: {flip: up}", 18, "look.flip: \"up\" is not a flip. Give horizontal or vertical."),
        (
            "look: {crop: 1x1+0+0}", 11,
            "look: Crop and mask refer to a size, and the camera has none. Give the camera its size"
        ),
        ("look: {mask: [1x1+0+0]}", 11, "look: Crop and mask refer to a size, and the camera has none."),
        ("look: {mask: [1x1]}", 18, "look.mask: \"1x1\" is not a list of areas in the picture. Give each as"),
        ("gps: here", 10, "gps: The value is the text \"here\"."),
        ("gps: {latitude: 1}", 10, "gps: The key longitude is missing. Give latitude and"),
        ("gps: {longitude: 1}", 10, "gps: The key latitude is missing."),
        (
            "gps: {latitude: 90.01, longitude: 1}", 21,
            "gps.latitude: \"90.01\" is not a number from -90 to 90. Give one such as 52.5163, positive to the north."
        ),
        ("gps: {latitude: 1, longitude: -181}", 35, "\"-181\" is not a number from -180 to 180."),
        (
            "gps: {latitude: 1, longitude: 1, altitude: 34 m}", 48,
            "gps.altitude: \"34 m\" is not a number from -12000 to 100000. Give one such as 34.5, in metres above the sea."
        ),
        ("gps: {latitude: nan, longitude: 1}", 21, "\"nan\" is not a number from -90"),
        ("gps: {latitud: 1, latitude: 1, longitude: 1}", 11, "There is no such key. Did you mean latitude?"),
        ("look: {overlay: now}", 21, "look.overlay: The value is the text \"now\"."),
        ("look: {overlay: {text: \"\"}}", 28, "\"\" is not a text of 1 to 200 characters in one line."),
        ("look: {overlay: {text: 5}}", 28, "The value is the number 5 and not a text of 1 to 200"),
        ("look: {overlay: {text: \"a\\nb\"}}", 28, "is not a text of 1 to 200 characters in one line."),
        ("look: {overlay: {font: a.ttf}}", 28, "look.overlay.font: \"a.ttf\" is not an absolute path."),
        ("look: {overlay: {size: 0.9%}}", 28, "\"0.9%\" is not a size from 1% to 25%. Give hundredths"),
        ("look: {overlay: {size: 26%}}", 28, "\"26%\" is not a size"),
        ("look: {overlay: {size: 4}}", 28, "\"4\" is not a size"),
        ("look: {overlay: {position: uper_left}}", 32, "overlay.position: \"uper_left\" is not one of"),
        ("look: {overlay: {position: middle}}", 32, "\"middle\" is not one of"),
        ("ring: 5", 11, "ring: The value is the number 5."),
        ("ring: {seconds: 0}", 21, "ring.seconds: \"0\" is not a whole number from 1 to 3600."),
        ("ring: {seconds: 3601}", 21, "ring.seconds: \"3601\" is not a whole number"),
        ("ring: {megabytes: 0}", 23, "ring.megabytes: \"0\" is not a whole number from 1 to 4096."),
        ("ring: {megabytes: 4097}", 23, "ring.megabytes: \"4097\" is not a whole number"),
        ("ring: {second: 5}", 12, "ring.second: There is no such key. Did you mean seconds?"),
        ("allowGap: maybe", 15, "allowGap: \"maybe\" is not true or false."),
        ("lead: 12s", 11, "lead: \"12s\" is not a lead."),
        ("stall: 60", 12, "\"60\" is not a limit of silence. Give auto, off, or a time from 1s to 1d, such as 60s."),
        ("firstFrame: 2d", 17, "firstFrame: \"2d\" is not a limit of silence."),
        ("controls: 5", 15, "controls: The value is the number 5. Give names of controls"),
        ("controls: {gain: [1]}", 22, "controls.gain: The value is a list and not a number"),
        ("controls: {\"--\": 1}", 16, "controls: \"--\" is not a control's name."),
        ("controls: {gain: }", 22, "controls.gain: The value is empty and not a number"),
        ("profiles: [night]", 15, "profiles: The value is a list. Give each a name"),
        ("profiles: {Night: {}}", 16, "\"Night\" is not a profile's name. Use 1 to 64 of a-z"),
        ("profiles: {night: 3}", 23, "profiles.night: The value is the number 3."),
    ])
    func `reports a faulty camera by its key`(_ line: String, _ column: Int, _ says: String) {
        expectFault(cameraHead + "    \(line)", "4:\(column): cameras.a.", says)
    }

    @Test func `reports every fault in the order of the file`() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try ConfigurationReader.read("cameras: {B: 1}\nspool: {x: 1, folder: a}\nsocket: 7", file: "f")
        }
        #expect(error.faults.map(\.key) == ["cameras.B", "spool.x", "spool.folder", "socket"])
        #expect(error.faults.compactMap(\.place?.line) == [1, 2, 2, 3])
    }

    @Test func `quotes a camera name with a dot in a key path`() throws {
        let text = """
            cameras:
              front: {device: /a, rate: fast}
              front.rate: {device: /b, size: 5}
              "[a]": {device: /c}
              [a]: {device: /d}
            """
        let error = try #require(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "f") }
        let keys = ["cameras.front.rate", "cameras.\"front.rate\".size", "cameras.[a]", "cameras"]
        #expect(error.faults.map(\.key) == keys)
        #expect(error.faults.compactMap(\.place?.line) == [2, 3, 4, 5])
    }

    @Test func `missing keys of a ring have defaults`() throws {
        for text in ["ring: {}", "ring: {seconds: 5}", "ring: {megabytes: 32}"] {
            let ring = try configuredCamera(text).session.ring
            #expect(ring == RingConfiguration(seconds: 5, megabytes: 32, quality: StillRequest.defaultQuality))
        }
        let session = try configuredCamera("look: {quality: 7}").session
        #expect(session.ring == nil && session.allowsGap)
    }

    @Test func `a crop of the look lies inside the upright picture`() throws {
        let text = "size: 640x480\n    look: {rotate: 90, crop: 480x640+0+0}"
        #expect(try configuredCamera(text).session.look?.crop == CropRectangle("480x640+0+0"))
        #expect(throws: ConfigurationError.self) { try configuredCamera(text.replacing("480x640+", with: "640x480+")) }
    }

    @Test func `a camera whose look changes nothing has none`() throws {
        #expect(try configuredCamera("look: {rotate: 0, quality: 50}").session.look == nil)
    }

    @Test(arguments: ["{latitude: -90, longitude: 180}", "{latitude: 90.0, longitude: -180.0, altitude: 100000}"])
    func `accepts the limits of a position`(_ position: String) throws {
        #expect(try configuredCamera("gps: \(position)").session.position != nil)
    }

    @Test(arguments: ["1%", "25%", "25.0%", "1.001%"])
    func `accepts the limits of the overlay size`(_ size: String) throws {
        let percent = try configuredCamera("look: {overlay: {size: \(size)}}").overlay.style.percent
        #expect(percent == Double(size.dropLast()))
    }

    @Test(arguments: FourCC.supported.map(\.description))
    func `accepts every supported pixel format`(_ format: String) throws {
        let wish = try configuredCamera("format: \(format)").session.format
        #expect(wish.pixelFormats.map(\.description) == [format])
    }

    @Test(arguments: [
        #"{"a\e[2J\r\nb\u202E": 1}"#, #"socket: "a\e[2J\r\n\u202E""#, #"cameras: {"a\e[2J\u202E": {}}"#,
        #"cameras: {a: {rate: "\e[2J\u202E"}}"#, #"cameras: {a: {device: /dev/video0, controls: {"g\e\u202E": []}}}"#,
    ])
    func `escapes control characters in a fault`(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "f\u{1B}") }
        for fault in error?.faults ?? [] {
            #expect(fault.description.unicodeScalars.allSatisfy(PrintableText.isSafe), "\(fault)")
            #expect(fault.description.hasPrefix(#"f\u{1b}"#))
        }
    }
}
