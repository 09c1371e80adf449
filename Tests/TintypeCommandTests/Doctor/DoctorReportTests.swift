// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct DoctorReportTests {
    private static let healthy = CameraEvidence(
        camera: "front",
        node: DiagnosisCase.held(by: NodeHolder(pid: 7, command: "tintyped", user: "tintype", isDaemon: true)),
        examination: DiagnosisTests.examination()
    )
    private static let dark = DiagnosisCase.frames { examination in
        (examination.pictures.meanLuma, examination.pictures.darkest, examination.pictures.brightest) = (1, 0, 2)
    }

    private func report(_ rounds: [CameraEvidence]...) -> DoctorReport {
        var report = DoctorReport()
        for cameras in rounds { report.add(DoctorEvidence(daemon: DiagnosisCase.running, cameras: cameras)) }
        return report
    }

    @Test func `a healthy camera is told in a few lines`() {
        let report = report([Self.healthy])
        #expect(report.isHealthy)
        #expect(
            DoctorText.text(report) == """
                tintyped 1 at /s: pid 7, user tintype, groups tintype cams

                front: healthy
                  node      /dev/video0: root:video 0660
                  open in   tintyped (pid 7, user tintype)
                  format    MJPG:1280x720@30
                  frames    30 in 1 s, 29.9 a second; opened in 20 ms, first after 50 ms
                  picture   luma 112.0 on average, 3 to 240; 29 of 30 differ from the one before

                """
        )
    }

    @Test func `a fault that comes and goes is told with how often it came`() {
        let report = report([Self.healthy], [Self.dark], [Self.dark], [Self.healthy])
        #expect(!report.isHealthy)
        #expect(report.findings.map(\.occurred) == [2])
        let text = DoctorText.text(report)
        #expect(text.contains("front: dark\n"))
        #expect(text.contains("  dark (in 2 of 4 rounds): The picture is dark.\n    evidence  Luma is 1.0"))
        #expect(!DoctorText.text(self.report([Self.dark])).contains("rounds"))
    }

    @Test func `a camera that has gone in a later round keeps its findings`() {
        let text = DoctorText.text(report([Self.dark], []))
        #expect(text.contains("front: gone\n  dark (in 1 of 2 rounds)"))
        #expect(text.contains("no-camera (in 1 of 2 rounds)"))
    }

    @Test func `the daemon's reasons are findings where the look at its cameras has not found a better one`() {
        let full = HealthReason(.spoolFull, spool: "usb", "The spool usb is full.", remedy: "Make room.")
        let failing = HealthReason(.stillsFail, camera: "front", "The last 3 stills failed.", remedy: "Look there.")
        // It is examined now, so it is not stuck any more.
        let stuck = HealthReason(.driverStuck, camera: "front", "The driver hangs.", remedy: "Unplug it.")
        var daemon = DiagnosisCase.running
        daemon.health = Health(status: .degraded, version: "1", reasons: [full, failing, stuck])
        let works = Diagnosis.entries(of: DoctorEvidence(daemon: daemon, cameras: [Self.healthy]))
        #expect(works.map(\.finding.code) == [.spoolFull, .stillsFail] && works.map(\.camera) == [nil, "front"])
        #expect(works.map(\.finding.detail) == [full.detail, failing.detail])
        #expect(works.map(\.finding.remedy) == [full.remedy, failing.remedy])
        let dark = Diagnosis.entries(of: DoctorEvidence(daemon: daemon, cameras: [Self.dark]))
        #expect(dark.map(\.finding.code) == [.spoolFull, .dark])
        var report = DoctorReport()
        report.add(DoctorEvidence(daemon: daemon, cameras: [Self.healthy]))
        #expect(!report.isHealthy && DoctorText.text(report).contains("tintyped 1 at /s: degraded, pid 7"))
    }

    @Test func `the same finding of two cameras is two`() {
        var back = Self.dark
        back.camera = "back"
        #expect(report([Self.dark, back], [back]).findings.map(\.occurred) == [1, 2])
    }

    @Test func `the keys of the JSON are stable`() throws {
        let bytes = try WireFormat.encode(report([Self.dark]))
        let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(Set(object.keys) == ["healthy", "rounds", "findings", "daemon", "cameras"])
        #expect(object["healthy"] as? Bool == false)
        #expect(object["rounds"] as? Int == 1)
        let finding = try #require((object["findings"] as? [[String: Any]])?.first)
        #expect(Set(finding.keys) == ["camera", "code", "detail", "evidence", "remedy", "occurred"])
        #expect(finding["code"] as? String == "dark")
        #expect(finding["camera"] as? String == "front")
        let daemon = try #require(object["daemon"] as? [String: Any])
        #expect(Set(daemon.keys) == ["socket", "version", "pid", "user", "groups"])
        let camera = try #require((object["cameras"] as? [[String: Any]])?.first)
        #expect(Set(camera.keys) == ["camera", "node", "examination"])
        let node = try #require(camera["node"] as? [String: Any])
        #expect(
            Set(node.keys) == [
                "path", "isThere", "isDevice", "owner", "group", "mode", "mayOpen", "daemonMayOpen", "holders",
                "unseenProcesses",
            ]
        )
        let healthy = try WireFormat.encode(report([Self.healthy]))
        let none = try #require(JSONSerialization.jsonObject(with: Data(healthy)) as? [String: Any])
        #expect(none["healthy"] as? Bool == true)
        #expect((none["findings"] as? [Any])?.isEmpty == true)
    }
}
