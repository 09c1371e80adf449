// SPDX-License-Identifier: Apache-2.0

/// Where a camera stands, in WGS 84.
package struct GeoPosition: Hashable, Sendable {
    /// Degrees, positive to the north.
    package var latitude: Double
    /// Degrees, positive to the east.
    package var longitude: Double
    /// Metres above the sea, negative below it; nil if it is not known.
    package var altitude: Double?

    /// The latitudes that there are.
    package static let latitudeRange: ClosedRange<Double> = -90...90
    /// The longitudes that there are.
    package static let longitudeRange: ClosedRange<Double> = -180...180
    /// The altitudes that can be given: from below the deepest sea to above any balloon.
    package static let altitudeRange: ClosedRange<Double> = -12_000...100_000

    /// A position of these parts.
    package init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }
}
