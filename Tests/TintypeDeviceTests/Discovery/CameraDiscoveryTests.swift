// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TintypeDevice
import TintypeModel

struct CameraDiscoveryTests {
    @Test func `repeated scans list sysfs nodes in numeric order`() async {
        let (first, second) = await DeviceStage.perform {
            let discovery = CameraDiscovery()
            return (discovery.scan(), discovery.scan())
        }
        #expect(first.map(\.identity.path) == second.map(\.identity.path))
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/video4linux")) ?? []
        let nodes = Set(entries.filter { $0.hasPrefix("video") }.map { "/dev/" + $0 })
        #expect(Set(first.map(\.identity.path)).isSubset(of: nodes))
        // Most machines have no cameras.
        if nodes.isEmpty { #expect(first.isEmpty) }
        let numbers = first.compactMap { Int($0.identity.path.dropFirst("/dev/video".count)) }
        #expect(numbers == numbers.sorted())
    }
}
