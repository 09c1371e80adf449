// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import Yams

extension ConfigurationReader {
    /// How much of the past a camera keeps; nil where it says nothing.
    static func ring(_ keys: MappingReader<ConfigurationKey.Camera>, quality: Int) -> RingConfiguration? {
        guard let ring = keys.mapping(.ring, ConfigurationKey.Ring.self) else { return nil }
        return RingConfiguration(
            seconds: ring.integer(.seconds, in: RingConfiguration.secondsRange) ?? RingConfiguration.defaultSeconds,
            megabytes: ring.integer(.megabytes, in: RingConfiguration.megabytesRange)
                ?? RingConfiguration.defaultMegabytes,
            quality: quality
        )
    }
}

extension MappingReader {
    /// The truth that is the value of `key`: `true` or `false`.
    func truth(_ key: Key) -> Bool? {
        scalar(key, "true or false", remedy: "Give one of these.") { Bool($0.string) }
    }
}
