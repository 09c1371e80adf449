// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import TintypeModel

/// A deadline that no test should need.
var soon: MonotonicTime { .now() + .seconds(60) * Waiting.scale }
