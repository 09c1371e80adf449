// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeImaging
internal import TintypeModel

struct ImagingErrorTests {
    @Test(arguments: [
        (ImagingError.unsupported(FourCC.mjpeg), "No still can be made from pixel format MJPG."),
        (.short(have: 3, need: 9), "The picture has 3 bytes where its layout needs 9."),
        (.notJPEG("it is empty"), "The bytes are not a sound JPEG picture: it is empty."),
        (.truncated, "The JPEG picture is cut short: it ends before its EOI marker."),
        (
            .sizeMismatch(FrameSize(width: 8, height: 6), expected: FrameSize(width: 16, height: 9)),
            "The JPEG picture is 8x6 where 16x9 was granted."
        ),
        (.entropy("it ends"), "The data of the JPEG picture is damaged: it ends."),
        (.delivered(.flagged), "The driver calls the frame damaged (flagged)."),
        (.delivered(.repeated), "The frame has the number of the one before it."),
        (.delivered(.overwritten), "The frame may have been overwritten by a later one while it was copied."),
        (.encoder("out of memory"), "The picture could not be encoded: out of memory."),
        (.refused(Problem(.invalidRequest, "It is too large.", remedy: "Ask for less.")), "It is too large."),
    ])
    func `each error is described in one sentence`(_ error: ImagingError, _ sentence: String) {
        #expect(error.description == sentence)
    }
}
