// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// Controls and profiles from the command line to the picture, on the test pattern.
    @Suite struct ControlTests {
        /// The mean luma of a still's lowest eighth, by Pillow.
        private func brightness(_ site: Site) async throws -> Int {
            try #require(Int(try await site.python("pillow", ["brightness", try await site.stillFile()])))
        }

        @Test func `controls and profiles change the picture`() async throws {
            try await Site.serving("YUYV:320x240@30") { site, _ in
                let list = try await site.tintype("controls")
                #expect(list.status == 0 && list.text.hasPrefix("NAME"), "\(list.errors)")
                #expect(list.text.contains("3 (Aperture Priority Mode)"))
                let plain = try await brightness(site)

                let settings = "brightness=208 exposure_auto=manual exposure-time-absolute=10ms"
                let set = try await site.shell("tintype controls set \(settings)")
                #expect(set.status == 0, "\(set.errors)")
                #expect(
                    set.text
                        == "auto_exposure: applied 1 (Manual Mode)\nbrightness: applied 208\n"
                        + "exposure_time_absolute: applied 100\n"
                )
                #expect(try await brightness(site) > plain + 40)

                #expect(try await site.tintype("controls", "profiles", "save", "pattern", "bright").status == 0)
                let path = "\(site.folder)/state/profiles/pattern/bright.json"
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o640)

                #expect(try await site.tintype("controls", "reset").text.contains("brightness: applied 128"))
                let reset = try await brightness(site)
                #expect(abs(reset - plain) < 10)
                let differences = try await site.tintype("controls", "profiles", "diff", "bright")
                #expect(differences.status == 23 && differences.text.contains("brightness"), "\(differences.text)")

                let applied = try await site.tintype("controls", "profiles", "apply", "bright", "--json")
                #expect(applied.status == 0, "\(applied.errors)")
                let outcomes = try applied.read(ControlOutcomeList.self).outcomes
                #expect(outcomes.allSatisfy { $0.result == .applied })
                #expect(try await site.tintype("controls", "profiles", "diff", "bright").status == 0)
                #expect(try await brightness(site) > plain + 40)
                #expect(try await site.tintype("status").text.contains("bright"))
                #expect(try await site.tintype("controls", "profiles").text.contains("bright  saved"))
                #expect(try await site.tintype("controls", "profiles", "rm", "bright").status == 0)
                #expect(try await site.tintype("controls", "profiles", "rm", "bright").status == 13)
            }
        }

        @Test func `reports refused, clamped and unknown controls`() async throws {
            try await Site.serving("YUYV:320x240@30,control-busy=contrast") { site, _ in
                let some = try await site.tintype("controls", "set", "pattern", "contrast=4", "gain=300", "colour=red")
                #expect(some.status == 23)
                #expect(
                    some.text.contains("contrast: refused 32. VIDIOC_S_EXT_CTRLS on pattern: device or resource busy.")
                )
                #expect(some.text.contains("gain: clamped 200. The driver made 200 of 255."))
                #expect(some.text.contains("colour: unknown."))
                let missing = try await site.tintype("controls", "profiles", "apply", "none")
                #expect(missing.status == 13 && missing.errors.contains("has no profile “none”"), "\(missing.errors)")
            }
        }

        @Test func `shows and logs a change by another program`() async throws {
            try await Site.serving("YUYV:320x240@100,foreign-change-after=5") { site, daemon in
                #expect(try await site.tintype("still").status == 0)
                try await eventually("the change is seen") {
                    try await site.client.camera("pattern").controls?.foreignChanges == 1
                }
                #expect(try await site.tintype("status").text.contains("brightness from 128 to 20 at "))
                let lines = daemon.errors.split(separator: "\n").filter {
                    $0.contains("was changed by another program")
                }
                #expect(lines.count == 1, "\(daemon.errors)")
            }
        }
    }
}
