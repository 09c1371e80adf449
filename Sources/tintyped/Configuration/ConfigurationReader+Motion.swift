// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel

extension ConfigurationReader {
    func motion(at path: String) throws(Problem) -> MotionSettings? {
        guard let keys = try fields(at: path, ConfigurationKey.Motion.self) else { return nil }
        var settings = MotionSettings()
        settings.threshold = try keys.integer(.threshold, in: MotionSettings.thresholdRange) ?? settings.threshold
        let areaRemedy = "Give a share of the picture from 0.1% to 100%, such as 0.5%."
        settings.area =
            try keys.text(.area, "is not a share of the picture.", remedy: areaRemedy) { text -> Double? in
                guard let match = text.wholeMatch(of: /([0-9]{1,3}(?:\.[0-9]{1,2})?) ?%/) else { return nil }
                return Double(match.1).flatMap { MotionSettings.areaRange.contains($0) ? $0 : nil }
            } ?? settings.area
        let maskRemedy = "Give each as WIDTHxHEIGHT+LEFT+TOP in percent, such as 100x20+0+0 for the upper fifth."
        settings.mask =
            try keys.texts(.mask, "is not a list of rectangles in the picture.", remedy: maskRemedy) { texts in
                let masks = texts.compactMap(MotionMask.init)
                return masks.count == texts.count ? masks : nil
            } ?? settings.mask
        let range = MotionSettings.holdRange
        let ends = (HumanDuration.text(range.lowerBound), HumanDuration.text(range.upperBound))
        let holdRemedy = "Give one from \(ends.0) to \(ends.1), such as 10s."
        settings.hold =
            try keys.duration(.hold, "is not a duration.", remedy: holdRemedy, in: range) ?? settings.hold
        return settings
    }

    /// Reports schedules that depend on motion detection or a ring that the camera does not have.
    func checkMotion(of camera: CameraConfiguration, at path: String) {
        for (index, schedule) in camera.publish.enumerated() {
            let list = FieldPath.joined(path, "publish")
            let at = document[list].map { if case .list = $0.value { "\(list)[\(index)]" } else { list } } ?? list
            if schedule.when == .motion, camera.session.motion == nil {
                let detail = "The camera is not watched for motion."
                document.add(FieldPath.joined(at, "when"), detail, remedy: "Give the camera motion: {}.")
            }
            guard let before = schedule.before else { continue }
            let key = FieldPath.joined(at, "before")
            if schedule.when != .motion {
                document.add(key, "Without when: motion there is nothing before which.", remedy: "Leave it out.")
            } else if case .every = schedule.rate {
                document.add(key, "It cannot be combined with every.", remedy: "Give nth or all, or leave it out.")
            } else if before > camera.session.ring?.reach ?? .zero {
                let detail = "The camera keeps no pictures of that time."
                let remedy = "Give the camera a ring of as many seconds, such as ring: {seconds: 5}."
                document.add(key, detail, remedy: remedy)
            }
        }
    }
}
