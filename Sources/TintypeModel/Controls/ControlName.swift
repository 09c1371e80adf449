// SPDX-License-Identifier: Apache-2.0

/// The names of controls.
package enum ControlName {
    /// The title with its letters in lower case, its digits, and one `_` for whatever stands between them.
    ///
    /// As in `exposure_time_absolute` for `Exposure Time, Absolute`: what v4l2-ctl(1) prints.
    package static func key(of title: String) -> String {
        title.lowercased()
            .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .joined(separator: "_")
    }
}

extension [ControlDescription] {
    /// The control that `name` names; nil if there is none.
    ///
    /// A name is the control's own, in any case and with `-` or spaces for `_`; else one that another version of Linux
    /// gives it; else its number, as in `0x00980900`.
    package func control(named name: String) -> ControlDescription? {
        let key = ControlName.key(of: name)
        if let control = first(where: { $0.name == key }) { return control }
        if let id = ControlNumber.olderNames[key], let control = first(where: { $0.id == id }) { return control }
        let digits = name.lowercased()
        let number = digits.hasPrefix("0x") ? UInt32(digits.dropFirst(2), radix: 16) : UInt32(digits)
        return number.flatMap { number in first { $0.id == number } }
    }

    /// The same, where several controls have one name, each but the first with its number after the name.
    package var withNamesOfTheirOwn: [ControlDescription] {
        var taken: Set<String> = []
        return map { control in
            var control = control
            if control.name.isEmpty || !taken.insert(control.name).inserted {
                let digits = String(control.id, radix: 16)
                control.name += (control.name.isEmpty ? "control_" : "_") + digits
                taken.insert(control.name)
            }
            return control
        }
    }
}
