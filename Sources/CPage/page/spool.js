// SPDX-License-Identifier: Apache-2.0

export const view = { start(element, page) {}, show(parameters) {}, hide() {} }
