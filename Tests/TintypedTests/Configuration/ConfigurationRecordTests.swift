// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeCapture
import TintypeModel

@testable import tintyped

struct ConfigurationRecordTests {
    @Test func `reads every key of record, after the schedules of publish`() throws {
        let camera = try configuredCamera(
            "publish: {every: 60s}",
            "motion: {}",
            "ring: {seconds: 5}",
            """
            record:
                  - {when: motion, before: 5s, for: 30s, original: true, tags: door}
                  - {every: 1d, align: 12:00, between: 06:00-20:00, days: mon-fri, before: 1s, for: 1h, tags: [noon]}
                  - {when: motion}
                  - {every: 1h, when: motion}
            """
        )
        #expect(camera.publish.map(\.length) == [nil, 30, 3600, 60, 10].map { $0.map { .seconds($0) } })
        let texts = [
            "every 1m", "record all, when motion, before 5s, for 30s, tags door",
            "record every 1d, align 12:00, between 06:00-20:00, days mon tue wed thu fri, before 1s, for 1h, tags noon",
            "record all, when motion, for 1m", "record every 1h, when motion, for 10s",
        ]
        #expect(camera.publish.map(\.description) == texts)
        let clips = camera.publish.map(\.clip)
        #expect(clips[0] == nil)
        var first = ClipRequest()
        (first.forMs, first.beforeMs) = (Milliseconds(.seconds(30)), Milliseconds(.seconds(5)))
        (first.original, first.tags) = (true, ["door", "motion"])
        #expect(clips[1] == first)
        #expect(clips[2]?.beforeMs == Milliseconds(.seconds(1)) && clips[2]?.tags == ["noon"])
        #expect(clips[3]?.beforeMs == Milliseconds(.zero) && clips[3]?.original == false)
    }

    @Test(arguments: [
        ("record: []", "record: The list is empty."),
        ("record: {for: 5s}", "record: The clips have neither every nor when: motion."),
        ("record: {when: always}", "record: The clips have neither every nor when: motion."),
        ("record: {every: 1h, for: 2h}", "record.for: \"2h\" is no time from 100ms to 1h. Give one such as 10s."),
        ("record: {every: 1h, original: maybe}", "record.original: \"maybe\" is not true or false."),
        ("record: {every: 1h, width: 320}", "record.width: There is no such key."),
        ("publish: {every: 1h, for: 3s}", "publish.for: There is no such key."),
        ("record: [{every: 1h}, {when: motion}]", "record[1].when: The camera is not watched for motion."),
        ("record: {every: 1h, before: 1s}", "record.before: The camera keeps no pictures of that time."),
        ("motion: {}\n    record: {when: motion, before: 1s}", "record.before: The camera keeps no pictures of"),
        (
            "motion: {}\n    record: {when: motion, align: clock}",
            "record.align: Without every there is nothing to align."
        ),
    ])
    func `reports a fault by its key`(_ text: String, _ says: String) {
        expectFault(cameraHead + "    \(text)\n", "", "cameras.a.\(says)")
    }
}
