// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSpool

@testable import tintyped

struct ConfigurationReaderTests {
    @Test func `an empty file is the default configuration, which discovers`() throws {
        for text in ["", "# nothing\n", "---\n", "cameras:\n", "cameras: {}\n"] {
            let configuration = try ConfigurationReader.read(text, file: "f")
            #expect(configuration == DaemonConfiguration())
            #expect(configuration.discovers)
        }
    }

    @Test func `every key has its effect`() throws {
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
            """,
            file: "f"
        )
        #expect(configuration.socket == SocketSettings(path: "/tmp/a.sock", mode: 0o600, group: "44"))
        #expect(
            configuration.spool
                == SpoolSettings(
                    folder: "/tmp/spool",
                    folderMode: 0o700,
                    fileMode: 0o600,
                    owner: "pi",
                    group: "33",
                    names: try FileNames("%s-{id}")
                )
        )
        #expect(
            configuration.spools == [
                SpoolSettings(name: "archive", folder: "/mnt/a", fileMode: 0o644),
                SpoolSettings(name: "usb", folder: "/mnt/b"),
            ]
        )
        #expect(configuration.state == StateSettings(folder: "/tmp/state"))
        #expect(!configuration.discovers)
        #expect(
            configuration.cameras == [
                CameraConfiguration(name: "zebra", source: .node(path: "/dev/video1")),
                CameraConfiguration(
                    name: "lion",
                    source: .match(CameraMatch([.serial: "0012", .usb: "046D:082d", .name: "HD*", .port: "1-2.3"]))
                ),
                CameraConfiguration(
                    name: "front",
                    source: .node(path: "/dev/v4l/by-id/x"),
                    session: SessionConfiguration(
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
                    ),
                    quality: 75,
                    position: GeoPosition(latitude: -33.5, longitude: 151, altitude: -2.25),
                    overlay: OverlaySettings(
                        text: "%F %T",
                        style: OverlayStyle(font: "/tmp/a.ttf", percent: 2.5, corner: .upperRight)
                    ),
                    profiles: [
                        ControlProfile(name: "day", source: .configuration, controls: ControlSettings()),
                        ControlProfile(
                            name: "night",
                            source: .configuration,
                            controls: ControlSettings(["gain": .text("50%")])
                        ),
                    ],
                    spool: "usb",
                    publish: [PublishSchedule(rate: .every(.seconds(300), .start))],
                    latest: LatestSettings(every: .seconds(2), width: 640, quality: 70)
                ),
            ]
        )
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let text: String
        let place: String
        let says: String
        var testDescription: String { text }

        init(_ text: String, _ place: String, _ says: String) {
            self.text = text
            self.place = place
            self.says = says
        }
    }

    static let camera = "cameras:\n  a:\n    device: /dev/video0\n    "

    @Test(arguments: [
        Wrong("sokcet: {}", "1:1", "sokcet: There is no such key. Did you mean socket?"),
        Wrong(
            "xyz: {}",
            "1:1",
            "Known keys: socket, tcp, access, ready, exitIdle, spool, spools, state, hooks, cameras."
        ),
        Wrong("- a", "1:1", "The file is a list."),
        Wrong("socket: /tmp/a", "1:9", "socket: The value is the text \"/tmp/a\"."),
        Wrong("socket: {path: a.sock}", "1:16", "socket.path: \"a.sock\" is not an absolute path"),
        Wrong("socket: {path: 12}", "1:16", "socket.path: The value is the number 12"),
        Wrong("socket: {path: }", "1:16", "socket.path: The value is empty"),
        Wrong("socket: {path: /\(String(repeating: "x", count: 103))}", "1:16", "at most 103 bytes"),
        Wrong("socket: {mode: 0999}", "1:16", "socket.mode: \"0999\" is not a file mode."),
        Wrong("socket: {group: \"a b\"}", "1:17", "socket.group: \"a b\" is not the name or number of a group."),
        Wrong("tcp: {}", "1:6", "tcp: The key port is missing."),
        Wrong("tcp: {address: \"::\", hosts: [a]}", "1:6", "tcp: The key port is missing."),
        Wrong("tcp: {port: 65536}", "1:13", "tcp.port: \"65536\" is not a whole number from 0 to 65535."),
        Wrong("tcp: {port: 1, address: localhost}", "1:25", "tcp.address: \"localhost\" is not an address."),
        Wrong("tcp: {port: 1, hosts: [\"a/b\"]}", "1:23", "tcp.hosts: \"a/b\" is no list of names."),
        Wrong("access: {}", "1:9", "access: The value is a mapping and not a list of rules."),
        Wrong("access:", "1:8", "access: The value is empty and not a list of rules."),
        Wrong("access: [{role: view}]", "1:10", "access[0]: Nothing says whom the rule is for."),
        Wrong("access: [{user: a, group: b, role: view}]", "1:10", "access[0]: The rule is for more than one."),
        Wrong("access: [{user: a}]", "1:10", "access[0]: Nothing says what is allowed."),
        Wrong(
            "access: [{user: a, role: root}]",
            "1:26",
            "access[0].role: \"root\" is not one of view, still, control, admin."
        ),
        Wrong("access: [{user: a, role: view, cameras: []}]", "1:41", "access[0].cameras: \"\" is no list of cameras."),
        Wrong(
            "access: [{user: a, role: view, frames: \"tag:b\"}]",
            "1:40",
            "access[0].frames: It cannot be combined with role."
        ),
        Wrong("access: [{user: a, frames: \"tag;b\"}]", "1:28", "access[0].frames: "),
        Wrong(
            "access: [{token: secret, name: a, role: view}]",
            "1:18",
            "access[0].token: The value is not the SHA-256 of a token."
        ),
        Wrong("access: [tt_0123]", "1:10", "access[0]: The value is a text."),
        Wrong("hooks: {chat: \"https://a/?key=0123\"}", "1:15", "hooks.chat: The value is a text."),
        Wrong(
            "hooks: {chat: {on: gap, command: \"https://a/?key=0123\"}}",
            "1:34",
            "hooks.chat.command: The value does not begin with"
        ),
        Wrong(
            "access: [{token: \"sha256:\(String(repeating: "0", count: 64))\", role: view}]",
            "1:10",
            "access[0]: The token has no name."
        ),
        Wrong("access: [{user: a, name: b, role: view}]", "1:26", "access[0].name: It is for tokens only."),
        Wrong("spool: {fileMode: 0440}", "1:19", "spool.fileMode: The daemon itself could not read such files."),
        Wrong("spool: {folderMode: 0550}", "1:21", "spool.folderMode: The daemon itself could not use such folders."),
        Wrong("spool: {folder: [a]}", "1:17", "spool.folder: The value is a list and not an absolute path."),
        Wrong("spool: {owner: a b}", "1:16", "spool.owner: \"a b\" is not the name or number of a user."),
        Wrong("spool: {group: /a}", "1:16", "spool.group: \"/a\" is not the name or number of a group."),
        Wrong("spool: {names: \"../%F\"}", "1:16", "spool.names: “..” in the pattern would leave its folder."),
        Wrong("spool: {names: \"%Q\"}", "1:16", "spool.names: “%Q” is no field that names can have."),
        Wrong("spool: {names: 7}", "1:16", "spool.names: The value is the number 7 and not a pattern for names."),
        Wrong("spools: [a]", "1:9", "spools: The value is a list. Give each spool a name"),
        Wrong("spools: {a: {}}", "1:10", "spools.a: The key folder is missing."),
        Wrong("spools: {A: {folder: /a}}", "1:10", "spools.A: \"A\" is no name for a further spool."),
        Wrong("spools: {default: {folder: /a}}", "1:10", "spools.default: \"default\" is no name"),
        Wrong("spools: {a: {folder: /a, mode: 0600}}", "1:26", "spools.a.mode: There is no such key."),
        Wrong("cameras: {a: {device: /dev/video0, spool: b}}", "1:43", "cameras.a.spool: There is no spool \"b\"."),
        Wrong("cameras: [a]", "1:10", "cameras: The value is a list. Give each camera a name"),
        Wrong("cameras: {A: {device: /dev/video0}}", "1:11", "\"A\" is not a camera's name. Use 1 to 64 of a-z"),
        Wrong("cameras: {a: {}}", "1:11", "cameras.a.device: The key is missing."),
        Wrong("cameras: {a: {device: /a, match: {serial: A}}}", "1:34", "The camera has both match and device."),
        Wrong("cameras: {a: {match: {}}}", "1:22", "cameras.a.match: There is no condition. Give one that"),
        Wrong("cameras: {a: {match: C920}}", "1:22", "cameras.a.match: The value is the text \"C920\"."),
        Wrong("cameras: {a: {match: {serail: A}}}", "1:23", "There is no such key. Did you mean serial?"),
        Wrong("cameras: {a: {match: {serial: 0012}}}", "1:31", "number 0012 and not a serial number."),
        Wrong("cameras: {a: {match: {serial: \"\"}}}", "1:31", "cameras.a.match.serial: \"\" is not a serial number."),
        Wrong("cameras: {a: {match: {usb: 46d:82d}}}", "1:28", "Give both numbers in hexadecimal, such as 046d:082d."),
        Wrong("cameras: {a: {match: {port: usb1}}}", "1:29", "cameras.a.match.port: \"usb1\" is not a USB port."),
        Wrong("cameras: {a: {match: {path: video0}}}", "1:29", "cameras.a.match.path: \"video0\" is not an absolute"),
        Wrong("cameras: {a: {match: {byID: [a]}}}", "1:29", "The value is a list and not the name of a link."),
        Wrong("cameras:\n  a:\n", "2:5", "cameras.a: The value is empty."),
        Wrong("cameras: {1: {device: /a}, \"1\": {device: /b}}", "1:28", "cameras.1: This name is used above."),
        Wrong("spools: {1: {folder: /a}, \"1\": {folder: /b}}", "1:27", "spools.1: This name is used above."),
        Wrong("cameras:\n  a: {device: /a}\n  a: {device: /b}", "2:3", "\"a\" appears more than once"),
        Wrong(camera + "format: mjpg", "4:13", "cameras.a.format: \"mjpg\" is not a pixel format that pictures"),
        Wrong(camera + "size: 640", "4:11", "cameras.a.size: \"640\" is not a size. Give width and height"),
        Wrong(
            camera + "rate: fast",
            "4:11",
            "cameras.a.rate: \"fast\" is not a rate. Give frames a second, such as 30 or 29.97, with"
        ),
        Wrong(camera + "size: about 1x1", "4:11", "cameras.a.size: \"about 1x1\" is not a size."),
        Wrong(camera + "rate: at most 5", "4:11", "cameras.a.rate: \"at most 5\" is not a rate."),
        Wrong(camera + "preset: best", "4:13", "cameras.a.preset: \"best\" is not a preset. Give one of photo, high"),
        Wrong(
            camera + "format: [YUYV, H264]",
            "4:13",
            "cameras.a.format: \"YUYV, H264\" is not a list of pixel formats"
        ),
        Wrong(camera + "format: [YUYV, YUYV]", "4:13", "Give one or several, each once"),
        Wrong(camera + "format: []", "4:13", "is not a list of pixel formats"),
        Wrong(camera + "input: 256", "4:12", "cameras.a.input: \"256\" is not an input."),
        Wrong(camera + "standard: P A L", "4:15", "cameras.a.standard: \"P A L\" is not a standard."),
        Wrong(camera + "crop: 640x480", "4:11", "cameras.a.crop: \"640x480\" is not a rectangle."),
        Wrong(camera + "rate: 0", "4:11", "cameras.a.rate: \"0\" is not a rate."),
        Wrong(camera + "warmth: warm", "4:13", "cameras.a.warmth: \"warm\" is not a warmth. Give hot, cold"),
        Wrong(camera + "quality: 0", "4:14", "cameras.a.quality: \"0\" is not a whole number from 1 to 100."),
        Wrong(camera + "quality: 101", "4:14", "cameras.a.quality: \"101\" is not a whole number from 1 to 100."),
        Wrong(camera + "quality: \"90\"", "4:14", "Give such a number, without quotes."),
        Wrong(camera + "quality: {}", "4:14", "cameras.a.quality: The value is a mapping and not a whole number"),
        Wrong(camera + "qualty: 90", "4:5", "cameras.a.qualty: There is no such key. Did you mean quality?"),
        Wrong(camera + "gps: here", "4:10", "cameras.a.gps: The value is the text \"here\"."),
        Wrong(camera + "gps: {latitude: 1}", "4:10", "cameras.a.gps: The key longitude is missing. Give latitude and"),
        Wrong(camera + "gps: {longitude: 1}", "4:10", "cameras.a.gps: The key latitude is missing."),
        Wrong(camera + "gps: {latitude: 90.01, longitude: 1}", "4:21", "\"90.01\" is not a latitude from -90 to 90."),
        Wrong(camera + "gps: {latitude: 1, longitude: -181}", "4:35", "\"-181\" is not a longitude from -180 to 180."),
        Wrong(
            camera + "gps: {latitude: 1, longitude: 1, altitude: 34 m}",
            "4:48",
            "cameras.a.gps.altitude: \"34 m\" is not an altitude from -12000 to 100000. Give metres above the sea"
        ),
        Wrong(camera + "gps: {latitude: nan, longitude: 1}", "4:21", "\"nan\" is not a latitude"),
        Wrong(
            camera + "gps: {latitud: 1, latitude: 1, longitude: 1}",
            "4:11",
            "There is no such key. Did you mean latitude?"
        ),
        Wrong(camera + "overlay: now", "4:14", "cameras.a.overlay: The value is the text \"now\"."),
        Wrong(camera + "overlay: {text: \"\"}", "4:21", "\"\" is not a text of 1 to 200 characters in one line."),
        Wrong(camera + "overlay: {text: 5}", "4:21", "The value is the number 5 and not a text of 1 to 200"),
        Wrong(camera + "overlay: {text: \"a\\nb\"}", "4:21", "is not a text of 1 to 200 characters in one line."),
        Wrong(camera + "overlay: {font: a.ttf}", "4:21", "cameras.a.overlay.font: \"a.ttf\" is not an absolute path."),
        Wrong(camera + "overlay: {size: 0.9%}", "4:21", "\"0.9%\" is not a size from 1% to 25%. Give hundredths"),
        Wrong(camera + "overlay: {size: 26%}", "4:21", "\"26%\" is not a size"),
        Wrong(camera + "overlay: {size: 4}", "4:21", "\"4\" is not a size"),
        Wrong(camera + "overlay: {position: middle}", "4:25", "\"middle\" is not a corner of the picture. Give one of"),
        Wrong(camera + "ring: 5", "4:11", "cameras.a.ring: The value is the number 5."),
        Wrong(camera + "ring: {seconds: 0}", "4:21", "ring.seconds: \"0\" is not a whole number from 1 to 3600."),
        Wrong(camera + "ring: {seconds: 3601}", "4:21", "ring.seconds: \"3601\" is not a whole number"),
        Wrong(camera + "ring: {megabytes: 0}", "4:23", "ring.megabytes: \"0\" is not a whole number from 1 to 4096."),
        Wrong(camera + "ring: {megabytes: 4097}", "4:23", "ring.megabytes: \"4097\" is not a whole number"),
        Wrong(
            camera + "ring: {second: 5}",
            "4:12",
            "cameras.a.ring.second: There is no such key. Did you mean seconds?"
        ),
        Wrong(camera + "allowGap: maybe", "4:15", "cameras.a.allowGap: \"maybe\" is not true or false."),
        Wrong(camera + "lead: 12s", "4:11", "cameras.a.lead: \"12s\" is not a lead."),
        Wrong("state: {folder: here}", "1:17", "state.folder: \"here\" is not an absolute path."),
        Wrong(camera + "controls: 5", "4:15", "cameras.a.controls: The value is the number 5. Give names of controls"),
        Wrong(
            camera + "controls: {gain: [1]}",
            "4:22",
            "cameras.a.controls.gain: The value is a list and not a number"
        ),
        Wrong(camera + "controls: {gain: }", "4:22", "cameras.a.controls.gain: The value is empty and not a number"),
        Wrong(camera + "controls: {\"--\": 1}", "4:16", "cameras.a.controls: \"--\" is not a control's name."),
        Wrong(camera + "profiles: [night]", "4:15", "cameras.a.profiles: The value is a list. Give each profile"),
        Wrong(camera + "profiles: {Night: {}}", "4:16", "\"Night\" is not a profile's name. Use 1 to 64 of a-z"),
        Wrong(camera + "profiles: {night: 3}", "4:23", "cameras.a.profiles.night: The value is the number 3."),
        Wrong("socket: {path: &p /a}\nspool: {folder: *q}", "2:17", "This is not YAML"),
        Wrong("ready: soon", "1:8", "ready: \"soon\" is not one of listening, cameras."),
        Wrong("exitIdle: 500ms", "1:11", "exitIdle: \"500ms\" is no time from 1s to 7d. Give one such as 5m."),
        Wrong("a: b: c", "1:5", "This is not YAML: mapping values are not allowed"),
        Wrong("a: 1\n---\nb: 2", "2:1", "found another document"),
    ])
    func `what is wrong is named with file, line, column, key and remedy`(_ wrong: Wrong) throws {
        let error = try #require(throws: ConfigurationError.self) {
            try ConfigurationReader.read(wrong.text, file: "/etc/f.yaml")
        }
        let line = error.description
        #expect(error.faults.count == 1, "\(line)")
        #expect(line.hasPrefix("/etc/f.yaml:\(wrong.place): "), "\(line)")
        #expect(line.contains(wrong.says), "\(line)")
    }

    @Test func `every fault is reported, in the order of the file`() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try ConfigurationReader.read("cameras: {B: 1}\nspool: {x: 1, folder: a}\nsocket: 7", file: "f")
        }
        #expect(error.faults.map(\.key) == ["cameras.B", "spool.x", "spool.folder", "socket"])
        #expect(error.faults.compactMap(\.place?.line) == [1, 2, 2, 3])
    }

    @Test func `a name with a dot in it is not taken for a key of another`() throws {
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

    @Test func `a few aliases that mean millions of values are refused`() throws {
        let lines = (1...9).map { level in
            let values = Array(repeating: level == 1 ? "1" : "*a\(level - 1)", count: 9)
            return "a\(level): &a\(level) [\(values.joined(separator: ", "))]"
        }
        let error = try #require(throws: ConfigurationError.self) {
            try ConfigurationReader.read(lines.joined(separator: "\n"), file: "f")
        }
        #expect(error.faults.count { $0.detail == "The file has more than 100000 values." } == 1)
    }

    @Test func `a ring has a default for what it does not say`() throws {
        for text in ["ring: {}", "ring: {seconds: 5}", "ring: {megabytes: 32}"] {
            let ring = try ConfigurationReader.read(Self.camera + text, file: "f").cameras.first?.session.ring
            #expect(ring == RingConfiguration(seconds: 5, megabytes: 32, quality: StillRequest.defaultQuality))
        }
        let camera = try ConfigurationReader.read(Self.camera + "quality: 7", file: "f").cameras.first
        #expect(camera?.session.ring == nil && camera?.session.allowsGap == true)
    }

    @Test(arguments: ["{latitude: -90, longitude: 180}", "{latitude: 90.0, longitude: -180.0, altitude: 100000}"])
    func `the ends of the ranges of a position are in them`(_ position: String) throws {
        let text = Self.camera + "gps: \(position)"
        #expect(try ConfigurationReader.read(text, file: "f").cameras.first?.position != nil)
    }

    @Test(arguments: ["1%", "25%", "25.0%", "1.001%"]) func `the ends of the sizes of a text are in them`(
        _ size: String
    ) throws {
        let text = Self.camera + "overlay: {size: \(size)}"
        let percent = try ConfigurationReader.read(text, file: "f").cameras.first?.overlay.style.percent
        #expect(percent == Double(size.dropLast()))
    }

    @Test(arguments: FourCC.supported.map(\.description))
    func `every format that pictures can be made from can be asked for`(_ format: String) throws {
        let text = Self.camera + "format: \(format)"
        let wish = try ConfigurationReader.read(text, file: "f").cameras.first?.session.format
        #expect(wish?.pixelFormats.map(\.description) == [format])
    }

    @Test(arguments: [
        #"{"a\e[2J\r\nb\u202E": 1}"#, #"socket: "a\e[2J\r\n\u202E""#, #"cameras: {"a\e[2J\u202E": {}}"#,
        #"cameras: {a: {rate: "\e[2J\u202E"}}"#, #"cameras: {a: {device: /dev/video0, controls: {"g\e\u202E": []}}}"#,
    ])
    func `what is wrong is told in one line that no terminal obeys, whatever the file says`(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) { try ConfigurationReader.read(text, file: "f\u{1B}") }
        for fault in error?.faults ?? [] {
            #expect(fault.description.unicodeScalars.allSatisfy(PrintableText.isSafe), "\(fault)")
            #expect(fault.description.hasPrefix(#"f\u{1b}"#))
        }
    }
}
