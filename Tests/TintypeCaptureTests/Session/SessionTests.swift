// SPDX-License-Identifier: Apache-2.0
import Testing

/// The suites that run whole sessions, one test at a time: they measure time, and each keeps the machine busy.
@Suite(.serialized) struct SessionTests {}
