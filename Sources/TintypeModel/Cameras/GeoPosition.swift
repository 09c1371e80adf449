// SPDX-License-Identifier: Apache-2.0

/// Position of a camera in WGS 84.
package struct GeoPosition: Hashable, Sendable {
    /// Degrees north of the equator.
    package var latitude: Double
    /// Degrees east of Greenwich.
    package var longitude: Double
    /// Metres above sea level; nil if unknown.
    package var altitude: Double?

    package static let latitudeRange: ClosedRange<Double> = -90...90
    package static let longitudeRange: ClosedRange<Double> = -180...180
    /// Accepted altitudes: from below the deepest sea to above any balloon.
    package static let altitudeRange: ClosedRange<Double> = -12_000...100_000

    package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
    }
}
