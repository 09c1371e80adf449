// SPDX-License-Identifier: Apache-2.0

// Their names in linux/videodev2.h; ConvertedFormat says what becomes of them.
extension FourCC {
    /// Bayer, 8 bits, from the top left B G, G R.
    ///
    /// `V4L2_PIX_FMT_SBGGR8`.
    package static let sbggr8 = FourCC("B", "A", "8", "1")
    /// Bayer, 8 bits, from the top left G B, R G.
    ///
    /// `V4L2_PIX_FMT_SGBRG8`.
    package static let sgbrg8 = FourCC("G", "B", "R", "G")
    /// Bayer, 8 bits, from the top left G R, B G.
    ///
    /// `V4L2_PIX_FMT_SGRBG8`.
    package static let sgrbg8 = FourCC("G", "R", "B", "G")
    /// Bayer, 8 bits, from the top left R G, G B.
    ///
    /// `V4L2_PIX_FMT_SRGGB8`.
    package static let srggb8 = FourCC("R", "G", "G", "B")
    /// Bayer as ``sbggr8``, 10 bits in 16.
    ///
    /// `V4L2_PIX_FMT_SBGGR10`.
    package static let sbggr10 = FourCC("B", "G", "1", "0")
    /// Bayer as ``sgbrg8``, 10 bits in 16.
    ///
    /// `V4L2_PIX_FMT_SGBRG10`.
    package static let sgbrg10 = FourCC("G", "B", "1", "0")
    /// Bayer as ``sgrbg8``, 10 bits in 16.
    ///
    /// `V4L2_PIX_FMT_SGRBG10`.
    package static let sgrbg10 = FourCC("B", "A", "1", "0")
    /// Bayer as ``srggb8``, 10 bits in 16.
    ///
    /// `V4L2_PIX_FMT_SRGGB10`.
    package static let srggb10 = FourCC("R", "G", "1", "0")
    /// Bayer as ``sbggr8``, 10 bits, packed.
    ///
    /// `V4L2_PIX_FMT_SBGGR10P`.
    package static let sbggr10p = FourCC("p", "B", "A", "A")
    /// Bayer as ``sgbrg8``, 10 bits, packed.
    ///
    /// `V4L2_PIX_FMT_SGBRG10P`.
    package static let sgbrg10p = FourCC("p", "G", "A", "A")
    /// Bayer as ``sgrbg8``, 10 bits, packed.
    ///
    /// `V4L2_PIX_FMT_SGRBG10P`.
    package static let sgrbg10p = FourCC("p", "g", "A", "A")
    /// Bayer as ``srggb8``, 10 bits, packed.
    ///
    /// `V4L2_PIX_FMT_SRGGB10P`.
    package static let srggb10p = FourCC("p", "R", "A", "A")
    /// Bayer as ``sbggr8``, 16 bits.
    ///
    /// `V4L2_PIX_FMT_SBGGR16`.
    package static let sbggr16 = FourCC("B", "Y", "R", "2")
    /// Bayer as ``sgbrg8``, 16 bits.
    ///
    /// `V4L2_PIX_FMT_SGBRG16`.
    package static let sgbrg16 = FourCC("G", "B", "1", "6")
    /// Bayer as ``sgrbg8``, 16 bits.
    ///
    /// `V4L2_PIX_FMT_SGRBG16`.
    package static let sgrbg16 = FourCC("G", "R", "1", "6")
    /// Bayer as ``srggb8``, 16 bits.
    ///
    /// `V4L2_PIX_FMT_SRGGB16`.
    package static let srggb16 = FourCC("R", "G", "1", "6")
    /// Luma only, 16 bits, little-endian.
    ///
    /// `V4L2_PIX_FMT_Y16`.
    package static let y16 = FourCC("Y", "1", "6", " ")
    /// Luma only, 16 bits, big-endian.
    ///
    /// `V4L2_PIX_FMT_Y16_BE`.
    package static let y16be = FourCC(rawValue: y16.rawValue | 0x8000_0000)
    /// Luma only, 10 bits, packed.
    ///
    /// `V4L2_PIX_FMT_Y10BPACK`.
    package static let y10bpack = FourCC("Y", "1", "0", "B")
    /// R G B, 5, 6 and 5 bits.
    ///
    /// `V4L2_PIX_FMT_RGB565`.
    package static let rgb565 = FourCC("R", "G", "B", "P")
    /// 4:2:0 of SPCA501 cameras.
    ///
    /// `V4L2_PIX_FMT_SPCA501`.
    package static let spca501 = FourCC("S", "5", "0", "1")
    /// 4:2:0 of SPCA505 cameras.
    ///
    /// `V4L2_PIX_FMT_SPCA505`.
    package static let spca505 = FourCC("S", "5", "0", "5")
    /// 4:2:0 of SPCA508 cameras.
    ///
    /// `V4L2_PIX_FMT_SPCA508`.
    package static let spca508 = FourCC("S", "5", "0", "8")
    /// 4:2:0 of Xirlink C-It cameras.
    ///
    /// `V4L2_PIX_FMT_CIT_YYVYUY`.
    package static let cit = FourCC("C", "I", "T", "V")
    /// 4:2:0 of Konica cameras.
    ///
    /// `V4L2_PIX_FMT_KONICA420`.
    package static let konica420 = FourCC("K", "O", "N", "I")
    /// 4:2:0, two rows of luma and one of chroma in turn.
    ///
    /// `V4L2_PIX_FMT_M420`.
    package static let m420 = FourCC("M", "4", "2", "0")
    /// 4:2:0 of SN9C20x cameras.
    ///
    /// `V4L2_PIX_FMT_SN9C20X_I420`.
    package static let sn9c20x = FourCC("S", "9", "2", "0")
    /// Bayer of STV0680 cameras.
    ///
    /// `V4L2_PIX_FMT_STV0680`.
    package static let stv0680 = FourCC("S", "6", "8", "0")
    /// Compressed RGB of SE401 cameras.
    ///
    /// `V4L2_PIX_FMT_SE401`.
    package static let se401 = FourCC("S", "4", "0", "1")
    /// Compressed Bayer of PAC207 cameras.
    ///
    /// `V4L2_PIX_FMT_PAC207`.
    package static let pac207 = FourCC("P", "2", "0", "7")
    /// JPEG Lite of Divio cameras.
    ///
    /// `V4L2_PIX_FMT_JPGL`.
    package static let jpgl = FourCC("J", "P", "G", "L")
    /// Compressed Bayer of SN9C10x cameras.
    ///
    /// `V4L2_PIX_FMT_SN9C10X`.
    package static let sn9c10x = FourCC("S", "9", "1", "0")
    /// Compressed Bayer of SN9C2028 cameras.
    ///
    /// `V4L2_PIX_FMT_SN9C2028`.
    package static let sn9c2028 = FourCC("S", "O", "N", "X")
}
