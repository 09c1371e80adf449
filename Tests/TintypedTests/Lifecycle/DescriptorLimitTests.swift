// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import tintyped

struct DescriptorLimitTests {
    @Test func `raises the soft limit to the hard limit`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            _ = unsafe getrlimit(resource, &limit)
            limit.rlim_cur = limit.rlim_max / 2
            _ = unsafe setrlimit(resource, &limit)
            let lines = LineRecorder()
            DescriptorLimit.raise(logger: lines.logger)
            _ = unsafe getrlimit(resource, &limit)
            exit(limit.rlim_cur == limit.rlim_max && lines.lines.isEmpty ? 7 : 8)
        }
    }
}
