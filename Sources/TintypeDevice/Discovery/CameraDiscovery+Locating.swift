// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeThreads

extension CameraDiscovery {
    /// The camera that `match` means, as it is now: looked for again with every call, since its number may have
    /// changed.
    ///
    /// Blocks: called on the camera's own thread. Throws ``DeviceError/unresolved(_:)`` where there is none or several.
    package func locate(_ match: CameraMatch) throws(DeviceError) -> CameraIdentity {
        let findings = scan()
        do throws(Problem) {
            return try match.resolve(among: findings.map(\.identity))
        } catch {
            throw .unresolved(error)
        }
    }

    /// What is known of the node or link at `path` without opening anything; nil for what is not in sysfs.
    ///
    /// Blocks: called on the camera's own thread. A link that udev made for one of several cameras of the same name says
    /// nothing about which one it is: throws ``DeviceError/unresolved(_:)``, which lists them.
    package func identity(at path: String, calls: DriverCalls) throws(DeviceError) -> CameraIdentity? {
        NamedThread.assertMayBlock("looking for \(path)")
        for (key, folder) in [(CameraMatch.Key.byID, Self.byIDFolder), (.byPath, Self.byPathFolder)]
        where path.hasPrefix(folder + "/") {
            let match = CameraMatch([key: path])
            let owners = scan().map(\.identity).filter(match.matches)
            if owners.count > 1 { _ = try locate(match) }
        }
        guard let node = folders.resolved(path), let name = node.split(separator: "/").last.map(String.init),
            node == "/dev/\(name)", folders.videoNodes().contains(name)
        else { return nil }
        return calls.during(.attributes) { folders.identity(of: name) }
    }

    /// Throws ``DeviceError/disconnected(path:operation:)`` where the node of `known` is that of another device by now.
    ///
    /// Blocks: called on the camera's own thread, with the node open. An open device keeps its number, so that what
    /// sysfs says of the number then is said of the device that was opened.
    package func confirm(_ known: CameraIdentity, calls: DriverCalls) throws(DeviceError) {
        NamedThread.assertMayBlock("looking for \(known.path) again")
        let name = known.path.split(separator: "/").last.map(String.init) ?? ""
        let now = calls.during(.attributes) { folders.identity(of: name) }
        guard now.sysfsPath != nil, now.sysfsPath == known.sysfsPath, now.serial == known.serial, now.usb == known.usb,
            now.port == known.port
        else { throw .disconnected(path: known.path, operation: "open") }
    }
}
