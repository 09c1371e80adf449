// SPDX-License-Identifier: Apache-2.0
import Testing

/// The suites on devices that exist once: one test at a time.
@Suite(.serialized) struct RealDeviceTests {}
