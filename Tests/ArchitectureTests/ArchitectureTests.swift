// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

struct ArchitectureTests {
    private static let repository = URL(filePath: #filePath)
        .resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `the source tree breaches no rule`() throws {
        let tree = try SourceTree(Self.repository.appending(path: "Sources"))
        #expect(tree.files.count > 100)
        #expect(Set(tree.files.map(\.target)) == Set(DependencyRule.allowed.keys))
        #expect(tree.breaches.isEmpty, "\(tree.breaches.joined(separator: "\n"))")
    }

    @Test func `the manifest declares only allowed dependencies`() throws {
        let manifest = try String(contentsOf: Self.repository.appending(path: "Package.swift"), encoding: .utf8)
        let declaration = /\.(?:executableTarget|target)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?/
        var seen: Set<String> = []
        for match in manifest.matches(of: declaration) {
            let target = String(match.1)
            seen.insert(target)
            guard !DependencyRule.withoutSwift.contains(target) else { continue }
            let rule = DependencyRule.allowed[target] ?? DependencyRule.allowedForTests[target]
            let allowed = try #require(rule, "\(target) is not in the dependency rule")
            let names = (match.2 ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            for name in names where name.hasPrefix("\"") {
                #expect(allowed.contains(name.filter { $0 != "\"" }), "\(target) may not depend on \(name)")
            }
        }
        #expect(seen.isSuperset(of: DependencyRule.allowed.keys))
    }

    @Test func `no target may import a higher layer`() {
        let order = [
            "TintypeModel", "TintypeSystem", "TintypeImaging", "TintypeDevice", "TintypeCapture", "TintypeSpool",
            "TintypeAPI", "tintyped", "tintype",
        ]
        for (index, target) in order.enumerated() {
            let higher = DependencyRule.allowed[target, default: []].intersection(order[index...])
            #expect(higher.isEmpty, "\(target)")
        }
    }

    @Test func `external libraries are limited to the targets that wrap them`() {
        let using = { (module: String) in DependencyRule.allowed.filter { $0.value.contains(module) }.keys.sorted() }
        #expect(using("CV4L2") == ["TintypeDevice", "TintypeSpool", "TintypeSystem"])
        #expect(using("CTurboJPEG") == ["TintypeImaging"])
        #expect(using("CExif") == ["TintypeImaging"])
        #expect(using("CFreeType") == ["TintypeImaging"])
        #expect(using("Hummingbird") == ["TintypeAPI"])
        #expect(using("NIOCore") == ["TintypeAPI", "tintype"])
    }

    /// File that breaks one rule, and the expected message.
    struct Planted: CustomTestStringConvertible, Sendable {
        let path: String
        let text: String
        let breach: String
        var testDescription: String { breach }
    }

    private static let licence = "// SPDX-License-Identifier: Apache-2.0\n"

    @Test(arguments: [
        Planted(
            path: "TintypeModel/A.swift",
            text: licence + "internal import TintypeDevice\n",
            breach: "TintypeModel may not import TintypeDevice"
        ),
        Planted(
            path: "TintypeDevice/B/C.swift",
            text: licence + "package import struct NIOCore.ByteBuffer\n",
            breach: "TintypeDevice may not import NIOCore"
        ),
        Planted(
            path: "TintypeAPI/D.swift",
            text: licence + "@preconcurrency import CV4L2\n",
            breach: "TintypeAPI may not import CV4L2"
        ),
        Planted(
            path: "TintypeExtra/E.swift",
            text: licence,
            breach: "the target TintypeExtra is not in the dependency rule"
        ),
        Planted(
            path: "TintypeModel/F.swift",
            text: "import Glibc\n",
            breach: "the first line does not name the licence"
        ),
        Planted(
            path: "TintypeModel/G.swift",
            text: licence + String(repeating: "\n", count: 300),
            breach: "301 lines"
        ),
        Planted(
            path: "TintypeModel/H.swift",
            text: licence + "let a = try" + "! b()\n",
            breach: "H.swift:2: try" + "! is not used"
        ),
        Planted(
            path: "TintypeModel/I.swift",
            text: licence + "func a() -> Never { fatalError" + "(\"no\") }\n",
            breach: "fatalError( is not used"
        ),
        Planted(
            path: "TintypeModel/J.swift",
            text: licence + "    Task" + ".detached { }\n",
            breach: "Task.detached is not used"
        ),
    ])
    func `detects a planted breach`(_ planted: Planted) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tintype-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let file = root.appending(path: planted.path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try planted.text.write(to: file, atomically: true, encoding: .utf8)
        let breaches = try SourceTree(root).breaches
        #expect(breaches.count == 1)
        #expect(breaches.first?.contains(planted.breach) == true, "\(breaches)")
    }
}
