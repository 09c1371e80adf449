// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct DoctorReportTests {
    private static let unreachable = Finding(.daemonUnreachable, "There is no socket at /s.", remedy: "Start it.")
    private static let dark = Finding(.dark, of: "front", "The picture is dark.", remedy: "Add light.")

    @Test func `a finding is two lines, and a healthy camera one`() {
        var report = DoctorReport()
        report.healthyCameras = ["back"]
        #expect(report.isHealthy && DoctorText.text(report) == "back: healthy\n")
        report.findings = [Self.unreachable, Self.dark]
        #expect(!report.isHealthy)
        #expect(
            DoctorText.text(report) == """
                daemon-unreachable: There is no socket at /s.
                  remedy: Start it.
                front: dark: The picture is dark.
                  remedy: Add light.
                back: healthy

                """
        )
    }

    @Test func `the keys of the JSON are stable`() throws {
        var report = DoctorReport()
        report.findings = [Self.unreachable, Self.dark]
        let bytes = try WireFormat.encode(report)
        let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(Set(object.keys) == ["healthy", "findings"])
        #expect(object["healthy"] as? Bool == false)
        let findings = try #require(object["findings"] as? [[String: String]])
        let keys: Set = ["code", "detail", "remedy"]
        #expect(findings.map { Set($0.keys) } == [keys, keys.union(["camera"])])
        #expect(findings.map { $0["code"] } == ["daemon-unreachable", "dark"])
    }
}
