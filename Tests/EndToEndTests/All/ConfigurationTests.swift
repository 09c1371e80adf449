// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    @Suite struct ConfigurationTests {
        private func size(_ site: Site) async throws -> String {
            try await site.size(of: try await site.stillFile())
        }

        @Test func `tintype configure applies only supported settings`() async throws {
            let pattern = "YUYV:640x480@30,also=MJPG:320x240@30,crops"
            try await Site.serving(pattern) { site, _ in
                #expect(try await size(site) == "640x480")
                let granted = try await site.tintype("configure", "--format", "MJPG", "--rate", "25")
                #expect(granted.status == 0, "\(granted.errors)")
                #expect(granted.text.contains("granted      MJPG:320x240@30"))
                #expect(granted.text.contains("the rate: 25 was asked for, and 30 granted"))
                #expect(try await size(site) == "320x240")
                let refused = try await site.tintype("configure", "--size", "exactly 800x600")
                #expect(refused.status == 23)
                #expect(refused.errors.contains("exactly 800x600"))
                #expect(try await size(site) == "320x240")
                let cropped = try await site.tintype("configure", "--format", "YUYV", "--crop", "64x48+8+8")
                #expect(cropped.status == 0, "\(cropped.errors)")
                #expect(try await size(site) == "64x48")
                let status = try await site.tintype("status", "pattern")
                #expect(status.text.contains("64x48+8+8"))
            }
        }
    }
}
