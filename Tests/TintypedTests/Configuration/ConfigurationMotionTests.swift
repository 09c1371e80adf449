// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeCapture
import TintypeImaging
import TintypeModel

@testable import tintyped

struct ConfigurationMotionTests {
    @Test func `motion detection is off by default`() throws { #expect(try configuredCamera().session.motion == nil) }

    @Test func `an empty motion mapping has the defaults`() throws {
        let settings = try #require(try configuredCamera("motion: {}").session.motion)
        #expect(settings == MotionSettings())
        #expect(settings.threshold == 8 && settings.area == 0.5)
        #expect(settings.mask.isEmpty && settings.hold == .seconds(10))
    }

    @Test func `reads every key of motion`() throws {
        let line = "motion: {threshold: 20, area: 2.5%, mask: [100x20+0+0, 5x5+95+95], hold: 1m}"
        let settings = try #require(try configuredCamera(line).session.motion)
        #expect(settings.threshold == 20 && settings.area == 2.5 && settings.hold == .seconds(60))
        #expect(settings.mask == ["100x20+0+0", "5x5+95+95"].compactMap { MaskShape($0) })
        #expect(try configuredCamera("motion: {mask: 10x10+0+0}").session.motion?.mask.count == 1)
    }

    @Test func `a schedule with when: motion tags its frames with motion`() throws {
        let all = "publish: {all, when: motion, before: 3s, tags: door}"
        let schedule = try #require(try configuredCamera("motion: {}", "ring: {seconds: 3}", all).publish.first)
        #expect(schedule.when == .motion && schedule.before == .seconds(3))
        #expect(schedule.request(within: .seconds(1)).tags == ["door", "motion"])
        #expect("\(schedule)" == "all, when motion, before 3s, tags door")
        let second = "publish: {nth: 2, when: motion, tags: motion}"
        let own = try #require(try configuredCamera("motion: {}", second).publish.first)
        #expect(own.request(within: .seconds(1)).tags == ["motion"] && own.before == nil)
        let always = try #require(try configuredCamera("publish: {every: 1s}").publish.first)
        #expect(always.when == .always && always.request(within: .seconds(1)).tags.isEmpty)
    }

    @Test(arguments: [
        ("motion: {threshold: 0}", "motion.threshold: \"0\" is not a whole number from 1 to 255."),
        ("motion: {area: 0%}", "motion.area: \"0%\" is not a share of the picture. Give a share"),
        ("motion: {area: 1}", "motion.area: \"1\" is not a share of the picture."),
        ("motion: {area: 101%}", "motion.area: \"101%\" is not a share of the picture."),
        ("motion: {mask: [100x20]}", "motion.mask: \"100x20\" is not a list of areas in the picture."),
        ("motion: {hold: 100ms}", "motion.hold: \"100ms\" is no time from 1s to 1h."),
        ("motion: {holds: 1s}", "motion.holds: There is no such key. Did you mean hold?"),
        ("publish: {all, when: motion}", "publish.when: The camera is not watched for motion."),
        ("publish: [{nth: 2}, {all, when: motion}]", "publish[1].when: The camera is not watched for motion."),
        ("publish: {all, when: dark}", "publish.when: \"dark\" is not one of always, motion."),
        ("publish: {all, before: 1s}", "publish.before: Without when: motion there is nothing before which."),
        (
            "motion: {}\n    publish: {all, when: motion, before: 1s}",
            "publish.before: The camera keeps no pictures of that time. Give the camera a ring"
        ),
        (
            "motion: {}\n    ring: {seconds: 2}\n    publish: {all, when: motion, before: 3s}",
            "publish.before: The camera keeps no pictures of that time."
        ),
        (
            "motion: {}\n    ring: {}\n    publish: {every: 1s, when: motion, before: 1s}",
            "publish.before: It cannot be combined with every."
        ),
    ])
    func `reports a fault by its key`(_ text: String, _ says: String) {
        expectFault(cameraHead + "    \(text)\n", "", "cameras.a.\(says)")
    }
}
