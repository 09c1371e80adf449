// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

extension ConfigurationReader {
    /// The position of a camera, from its `gps`; nil if it has none, or a wrong one.
    static func position(_ camera: MappingReader<ConfigurationKey.Camera>) -> GeoPosition? {
        guard let keys = camera.mapping(.gps, ConfigurationKey.Position.self) else { return nil }
        let latitude = keys.number(
            .latitude,
            "a latitude from -90 to 90",
            remedy: "Give degrees with a point, positive to the north, such as 52.5163.",
            in: GeoPosition.latitudeRange
        )
        let longitude = keys.number(
            .longitude,
            "a longitude from -180 to 180",
            remedy: "Give degrees with a point, positive to the east, such as 13.3777.",
            in: GeoPosition.longitudeRange
        )
        let altitude = keys.number(
            .altitude,
            "an altitude from -12000 to 100000",
            remedy: "Give metres above the sea, such as 34.5.",
            in: GeoPosition.altitudeRange
        )
        if camera.node(.gps)?.mapping != nil {
            for key in [ConfigurationKey.Position.latitude, .longitude] where keys.node(key) == nil {
                camera.fault(.gps, "The key \(key.rawValue) is missing.", remedy: "Give latitude and longitude.")
            }
        }
        guard let latitude, let longitude else { return nil }
        return GeoPosition(latitude: latitude, longitude: longitude, altitude: altitude)
    }
}

extension MappingReader {
    /// The number, with or without a fraction, that is the value of `key`.
    fileprivate func number(_ key: Key, _ what: String, remedy: String, in range: ClosedRange<Double>) -> Double? {
        scalar(key, what, remedy: remedy) { scalar in
            guard scalar.string.wholeMatch(of: /[-+]?[0-9]{1,6}(?:\.[0-9]{1,12})?/) != nil else { return nil }
            return Double(scalar.string).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
