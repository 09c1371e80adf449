// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tintyped

struct ConfigurationCodesTests {
    @Test func `codes are read only on request, which keeps the camera open`() throws {
        let camera = try configuredCamera("codes: true")
        #expect(camera.readsCodes && camera.isKeptOpen)
        for keys in ["codes: false", "warmth: cold"] {
            let camera = try configuredCamera(keys)
            #expect(!camera.readsCodes && !camera.isKeptOpen)
        }
        expectFault(cameraHead + "    codes: qr\n", "4:12: ", "cameras.a.codes: \"qr\" is not true or false.")
    }
}
