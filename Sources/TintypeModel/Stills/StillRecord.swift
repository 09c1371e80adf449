// SPDX-License-Identifier: Apache-2.0

package struct StillRecord: Equatable, Codable, WireObject {
    package enum Stored: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        /// File, name and catalog row are flushed to the disk.
        case durable
        /// The file has its final name; a power failure may lose it.
        case written
        case no
    }

    package var id: FrameID
    package var camera: String
    package var path: String?
    package var stored = Stored.no
    package var bytes: Int
    package var width: Int
    package var height: Int
    /// `sequence` of `v4l2_buffer`.
    package var sequence: UInt32
    package var capturedAt: Timestamp
    package var capturedMonotonicNs: Int64?
    package var timestampSource: TimestampSource
    package var uncertaintyMs: Milliseconds?
    package var leadMs: Milliseconds?
    package var ageMs: Milliseconds?
    package var waitedMs: Milliseconds?
    package var skipped: [SkipReason: Int]?
    package var settled: Bool?
    package var verdict: Verdict?
    package var faults: [PictureFault]?
    package var appearance: [ImageDefect]?
    package var tags: [String]?
    package var average: Int?
    package var gapMs: Milliseconds?
    package var focus: Int64?
    package var deinterlaced: Deinterlacing?
    package var recompressed: Bool?
    package var color: [ColorPart: String]?
    package var colorAssumed: [ColorPart]?
    package var sha256: String?
    package var phasesMs: StillPhases?
    package var kind: FrameKind?
    package var until: Timestamp?
    package var durationMs: Milliseconds?
    package var pictures: Int?
    package static let summary = "The record of a still."
    package static let fields: [Field] = [
        Field("id", \.id, "UUID of version 7."),
        Field("camera", \.camera, "The camera that took it."),
        Field("path", \.path, "The file; missing if it is not stored."),
        Field("stored", \.stored, "How durably it is stored."),
        Field("bytes", \.bytes, "Bytes of the picture.", .notNegative),
        Field("width", \.width, "Pixels a row.", .positive),
        Field("height", \.height, "Rows.", .positive),
        Field("sequence", \.sequence, "The driver's frame number."),
        Field("capturedAt", \.capturedAt, "When its exposure began."),
        Field("capturedMonotonicNs", \.capturedMonotonicNs, "The same by CLOCK_MONOTONIC, which starts at boot."),
        Field("timestampSource", \.timestampSource, "The source of both times."),
        Field("uncertaintyMs", \.uncertaintyMs, "By how much both times may be too early or too late."),
        Field("leadMs", \.leadMs, "How long before the driver's stamp they are; missing if equal, or not believed."),
        Field("ageMs", \.ageMs, "From the start of exposure to the reply."),
        Field("waitedMs", \.waitedMs, "From the request to the frame."),
        Field("skipped", \.skipped, "Frames that were skipped, by reason.", .counts),
        Field("settled", \.settled, "Whether exposure and white balance had settled; missing if not examined."),
        Field("verdict", \.verdict, "How intact the picture is."),
        Field("faults", \.faults, "The faults of the picture, each once."),
        Field("appearance", \.appearance, "The defects of a picture that may be useless; missing if none or with raw."),
        Field("tags", \.tags, "The tags by which it can be found."),
        Field("average", \.average, "The number of frames that were averaged for it.", ["minimum": 2]),
        Field("gapMs", \.gapMs, "The time for which the stream was interrupted for it."),
        Field("focus", \.focus, "The lens position (V4L2_CID_FOCUS_ABSOLUTE) around the frame; missing if unknown."),
        Field("deinterlaced", \.deinterlaced, "How it was made of interlaced video; missing for whole pictures."),
        Field("recompressed", \.recompressed, "True if a JPEG picture was decoded and compressed again."),
        Field(
            "color",
            \.color,
            """
            The encoding of the camera's raw picture in V4L2's terms: range and matrix were corrected, primaries and \
            transfer function were kept. Missing for JPEG pictures of the camera. Not in the catalog.
            """
        ),
        Field("colorAssumed", \.colorAssumed, "The parts of color that the driver leaves open; missing for none."),
        Field("sha256", \.sha256, "The checksum of the stored file.", ["pattern": "^[0-9a-f]{64}$"]),
        Field("phasesMs", \.phasesMs, "The time that each part of the work took."),
        Field("kind", \.kind, "Film or clip; missing for a still."),
        Field("until", \.until, "The capture time of the last picture of a film or clip."),
        Field("durationMs", \.durationMs, "The playing time of a film or clip."),
        Field("pictures", \.pictures, "The number of pictures of a film or clip.", .positive),
    ]

    /// Fields that the catalog does not store.
    private static let passing: Set = [
        "capturedMonotonicNs", "leadMs", "ageMs", "waitedMs", "skipped", "focus", "deinterlaced",
        "recompressed", "color", "colorAssumed", "phasesMs",
    ]

    private static let ofVideo: Set = ["kind", "until", "durationMs", "pictures"]
    package static let stored = fields.filter { !passing.contains($0.name) }
}

extension StillRecord {
    package init(
        id: FrameID,
        camera: String,
        bytes: Int,
        width: Int,
        height: Int,
        sequence: UInt32,
        capturedAt: Timestamp,
        timestampSource: TimestampSource
    ) {
        (self.id, self.camera, self.bytes) = (id, camera, bytes)
        (self.width, self.height, self.sequence) = (width, height, sequence)
        (self.capturedAt, self.timestampSource) = (capturedAt, timestampSource)
    }

    /// Fields in the header of a picture unless nil: all of a still but ``bytes``, which is `Content-Length`.
    package static let headerFields = fields.filter { $0.name != "bytes" && !ofVideo.contains($0.name) }

    /// Nil if `value`, which reads the header of a picture, lacks a required field or has an invalid one.
    package init?(bytes: Int, header value: (_ name: String) -> String?) {
        // Placeholders: each is overwritten by a required field.
        self.init(
            id: FrameID(high: 0, low: 0),
            camera: "",
            bytes: bytes,
            width: 0,
            height: 0,
            sequence: 0,
            capturedAt: Timestamp(microseconds: 0),
            timestampSource: .dequeue
        )
        for field in Self.headerFields {
            if let text = value(field.headerName) {
                guard field.read(text, &self) else { return nil }
            } else if field.isRequired {
                return nil
            }
        }
    }
}

package struct Still: Sendable {
    package var record: StillRecord
    package var picture: [UInt8]
    package init(record: StillRecord, picture: [UInt8]) { (self.record, self.picture) = (record, picture) }
}

/// Reason why a captured frame was not used for a still; black, uniform and frozen only with `reject`.
package enum SkipReason: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable, WireType {
    case flagged, short
    /// The bytes are not a complete JPEG picture, or encoding failed.
    case corrupt
    case black, uniform, frozen
    /// A newer frame was already queued.
    case superseded
    /// Exposed before the requested time.
    case stale
    /// The start of exposure is unknown and may be before the requested time.
    case undated
    case unsettled
    /// Captured while earlier frames of the same burst were still being encoded or stored.
    case overrun
}

/// Duration of each phase of a still; 0 for a skipped phase.
package struct StillPhases: Equatable, Codable, WireObject {
    package var open = Milliseconds(.zero)
    package var settle = Milliseconds(.zero)
    package var wait = Milliseconds(.zero)
    package var encode = Milliseconds(.zero)
    package var store = Milliseconds(.zero)
    package init() {}
    package static var schemaName: String? { nil }
    package static let summary = "The time that each part of the work took."
    package static let fields: [Field] = [
        Field("open", \.open, "Opening and configuring the device."),
        Field("settle", \.settle, "Waiting for exposure and white balance."),
        Field("wait", \.wait, "Waiting for the frame."),
        Field("encode", \.encode, "Encoding or copying."),
        Field("store", \.store, "Storing."),
    ]

    /// Phases in order, as in `open=1, settle=2.5, wait=0, encode=3, store=0`.
    package var headerText: String? {
        Self.fields.map { "\($0.name)=\($0.headerText(self) ?? "")" }.joined(separator: ", ")
    }

    package static func value(inHeader text: String) -> StillPhases? {
        guard let members = [String: String].value(inHeader: text) else { return nil }
        var phases = StillPhases()
        for field in fields {
            guard let member = members[field.name], field.read(member, &phases) else { return nil }
        }
        return phases
    }
}

/// Reply to `POST /v1/cameras/{camera}/stills`, or one line of it.
package struct StillList: Equatable, Codable, WireObject {
    /// Media type of a streamed reply, in which each line is a complete list.
    package static let linesMediaType = "application/x-ndjson"
    package var stills: [StillRecord]
    package var missed: [MissedStill]?
    package init(stills: [StillRecord], missed: [MissedStill]? = nil) { (self.stills, self.missed) = (stills, missed) }
    package static let summary = "The stills in order of capture."
    package static let fields: [Field] = [
        Field("stills", \.stills, "Their records."),
        Field("missed", \.missed, "Stills of a burst that were not taken or stored, in its order; missing if none."),
    ]
}

package struct MissedStill: Equatable, Codable, WireObject {
    package var index: Int
    package var code: ProblemCode
    package var detail: String

    package init(index: Int, _ problem: Problem) {
        self.index = index
        code = problem.code
        detail = problem.detail
    }

    package static let summary = "A missing still of a burst, with the reason."
    package static let fields: [Field] = [
        Field("index", \.index, "Its number in the burst, from 0.", .notNegative),
        Field("code", \.code, "The stable name of the kind of failure, as in a problem document."),
        Field("detail", \.detail, "The reason, in one sentence."),
    ]
}
