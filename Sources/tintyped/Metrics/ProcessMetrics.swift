// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeAPI

/// Resource usage of the process from proc(5), under the standard names of Prometheus.
enum ProcessMetrics {
    static var families: [MetricFamily] {
        func one(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double?) -> MetricFamily {
            MetricFamily(name, kind, help, value.map { [.init([], .number($0))] } ?? [])
        }
        let fields = fields
        let limit = Double(DescriptorLimit.openFiles)
        let page = Double(sysconf(CInt(_SC_PAGESIZE)))
        let time = fields[14].flatMap { user in fields[15].map { (user + $0) / ticks } }
        return [
            one("process_cpu_seconds_total", .counter, "User and system CPU time.", time),
            one("process_resident_memory_bytes", .gauge, "Resident memory.", fields[24].map { $0 * page }),
            one("process_virtual_memory_bytes", .gauge, "Virtual memory.", fields[23]),
            one("process_threads", .gauge, "Number of threads.", fields[20]),
            one("process_open_fds", .gauge, "Open file descriptors.", openDescriptors),
            one("process_max_fds", .gauge, "Maximum number of open file descriptors.", limit),
            one("process_start_time_seconds", .gauge, "Start time since 1970.", startTime(fields[22])),
        ]
    }

    /// By their numbers in proc(5).
    private static var fields: [Int: Double] {
        guard let text = read("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return [:] }
        let fields = text[text.index(after: end)...].split(separator: " ")
        let numbers = fields.enumerated().compactMap { place, field in Double(field).map { (place + 3, $0) } }
        return Dictionary(uniqueKeysWithValues: numbers)
    }

    private static var openDescriptors: Double? {
        // Without the descriptor of the listed folder itself.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    private static func startTime(_ sinceBoot: Double?) -> Double? {
        let name = "btime "
        let line = read("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let sinceBoot, let boot = line.flatMap({ Double($0.dropFirst(name.count)) }) else { return nil }
        return boot + sinceBoot / ticks
    }

    private static var ticks: Double { Double(sysconf(CInt(_SC_CLK_TCK))) }
    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
