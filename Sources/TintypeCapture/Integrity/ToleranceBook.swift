// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Learned faults of all cameras by identity, which outlive the sessions.
///
/// Any thread; never blocks.
package final class ToleranceBook: Sendable {
    /// Properties of a camera that stay the same after a restart, and when it is plugged in again.
    package struct Camera: Hashable, Codable, Sendable {
        let driver: String
        let card: String
        let usb: String?
        /// Serial number, or the place of a camera without one.
        let place: String

        package init(_ identity: CameraIdentity) {
            (driver, card, usb) = (identity.driver, identity.card, identity.usb)
            place = identity.serial ?? identity.busInfo
        }
    }

    /// Learned faults of one camera.
    package struct Entry: Codable, Sendable {
        let camera: Camera
        let tolerance: [PictureTolerance]
    }

    /// A learned fault; nil if only a later version knows its name.
    fileprivate struct Known: Decodable {
        private enum CodingKeys: CodingKey { case quirk }
        let tolerance: PictureTolerance?

        init(from decoder: any Decoder) throws {
            let name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .quirk)
            tolerance = PictureQuirk(rawValue: name) == nil ? nil : try PictureTolerance(from: decoder)
        }
    }

    /// Maximum number of cameras; the least recently changed one is dropped.
    package static let most = 256
    /// Maximum number of frames in an entry that is accepted.
    private static let mostFrames = 1 << 40

    private let entries = Mutex<[Entry]>([])
    private let save: @Sendable ([Entry]) -> Void

    /// `save` receives all entries after each change; it must not block.
    package init(save: @escaping @Sendable ([Entry]) -> Void = { _ in }) { self.save = save }

    /// Adds entries from before a restart, without those that cannot be.
    package func add(_ kept: [Entry]) {
        let possible = kept.suffix(Self.most).filter { entry in
            entry.tolerance.allSatisfy { (0...Self.mostFrames).contains($0.frames) }
        }
        entries.withLock { $0 = possible }
    }

    package func tolerance(of camera: Camera) -> [PictureTolerance] {
        entries.withLock { entries in entries.last { $0.camera == camera }?.tolerance ?? [] }
    }

    package func set(_ tolerance: [PictureTolerance], of camera: Camera) {
        entries.withLock { entries in
            entries.removeAll { $0.camera == camera }
            if !tolerance.isEmpty { entries.append(Entry(camera: camera, tolerance: tolerance)) }
            if entries.count > Self.most { entries.removeFirst() }
            // Under the lock, so that the last change is saved last.
            save(entries)
        }
    }
}

extension ToleranceBook.Entry {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        camera = try values.decode(ToleranceBook.Camera.self, forKey: .camera)
        tolerance = try values.decode([ToleranceBook.Known].self, forKey: .tolerance).compactMap(\.tolerance)
    }
}
