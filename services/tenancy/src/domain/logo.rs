//! The logo by which a business is recognised: a picture of our own drawing, never the file that was brought.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, error::ImageFormatHint,
    imageops::FilterType,
};
use sha2::{Digest, Sha256};

/// The largest file that is looked at.
const LARGEST_FILE: usize = 512 << 10;
/// The least and the most pixels of its width and height.
const SIDES: core::ops::RangeInclusive<u32> = 16..=2_048;
/// What decoding may take: four channels of 16 bits of the largest picture, and as much again to work with.
const MEMORY: u64 = 64 << 20;
/// The width and height that a logo is drawn in, at most: as large as it is shown, on the densest screens.
const SIDE: u32 = 256;

/// A PNG, and what names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// The PNG.
    pub content: Vec<u8>,
    /// Of the content.
    pub digest: LogoDigest,
}

/// Names a logo's content: the same for no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogoDigest(String);

/// Why a file is no logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogoFault {
    /// There are too many bytes.
    #[error("must be at most 512 KB")]
    TooLarge,
    /// It is of a format that is not drawn, such as SVG, which may hold programs.
    #[error("must be a PNG, JPEG or WebP picture")]
    Format,
    /// There are too few pixels, or too many.
    #[error("must be 16 to 2,048 pixels wide and high")]
    Pixels,
    /// It ends too early, or contradicts itself.
    #[error("is a damaged picture")]
    Damaged,
}

impl LogoDigest {
    fn of(content: &[u8]) -> Self {
        Self(Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// One that a request names; `None` if no logo can have it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// One that this service stored.
    #[must_use]
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// As it is written: 64 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl core::fmt::Display for LogoDigest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Logo {
    /// Draws the picture in a file anew, upright, as a PNG without anything else that the file holds.
    ///
    /// # Errors
    /// Why the file is refused.
    pub fn draw(file: &[u8]) -> Result<Self, LogoFault> {
        if file.len() > LARGEST_FILE {
            return Err(LogoFault::TooLarge);
        }
        let picture = read(file)?;
        let fitting = if picture.width().max(picture.height()) > SIDE {
            picture.resize(SIDE, SIDE, FilterType::CatmullRom)
        } else {
            picture
        };
        let mut content = vec![];
        // A drawing of pixels alone: no metadata, no colour profile, no second frame.
        let drawn = DynamicImage::ImageRgba8(fitting.into_rgba8());
        drawn.write_to(&mut Cursor::new(&mut content), ImageFormat::Png).map_err(|_| LogoFault::Damaged)?;
        let digest = LogoDigest::of(&content);
        Ok(Self { content, digest })
    }
}

/// The picture in a file. Its size is looked at before anything is decoded: a small file may claim a huge one.
fn read(file: &[u8]) -> Result<DynamicImage, LogoFault> {
    let mut reader =
        ImageReader::new(Cursor::new(file)).with_guessed_format().map_err(|_| LogoFault::Damaged)?;
    let format = reader.format().ok_or(LogoFault::Format)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP) {
        return Err(LogoFault::Format);
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(fault)?;
    let (width, height) = decoder.dimensions();
    if !SIDES.contains(&width) || !SIDES.contains(&height) {
        return Err(LogoFault::Pixels);
    }
    let orientation = decoder.orientation().map_err(fault)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(fault)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

fn fault(error: ImageError) -> LogoFault {
    match error {
        ImageError::Limits(_) => LogoFault::Pixels,
        ImageError::Unsupported(error) if matches!(error.format_hint(), ImageFormatHint::Unknown) => {
            LogoFault::Format
        }
        _ => LogoFault::Damaged,
    }
}

#[cfg(test)]
mod tests {
    use image::{Rgba, RgbaImage, codecs::jpeg::JpegEncoder, codecs::webp::WebPEncoder};
    use proptest::prelude::*;

    use super::*;

    fn picture(width: u32, height: u32) -> DynamicImage {
        let pixel = |x: u32, y: u32| Rgba([(x % 256) as u8, (y % 256) as u8, 120, 255]);
        DynamicImage::ImageRgba8(RgbaImage::from_fn(width, height, pixel))
    }

    fn png(picture: &DynamicImage) -> Vec<u8> {
        let mut file = vec![];
        picture.write_to(&mut Cursor::new(&mut file), ImageFormat::Png).unwrap();
        file
    }

    fn size(logo: &Logo) -> (u32, u32) {
        assert_eq!(image::guess_format(&logo.content).unwrap(), ImageFormat::Png);
        let drawn = image::load_from_memory(&logo.content).unwrap();
        (drawn.width(), drawn.height())
    }

    #[test]
    fn each_format_is_drawn_as_a_png_that_fits() {
        let small = Logo::draw(&png(&picture(40, 30))).unwrap();
        assert_eq!(size(&small), (40, 30));
        assert_eq!(size(&Logo::draw(&png(&picture(1_024, 512))).unwrap()), (256, 128));
        let mut jpeg = vec![];
        picture(300, 300).into_rgb8().write_with_encoder(JpegEncoder::new(&mut jpeg)).unwrap();
        assert_eq!(size(&Logo::draw(&jpeg).unwrap()), (256, 256));
        let mut webp = vec![];
        picture(64, 64).write_with_encoder(WebPEncoder::new_lossless(&mut webp)).unwrap();
        assert_eq!(size(&Logo::draw(&webp).unwrap()), (64, 64));
    }

    #[test]
    fn the_digest_names_the_content() {
        let logo = Logo::draw(&png(&picture(40, 30))).unwrap();
        assert_eq!(logo, Logo::draw(&png(&picture(40, 30))).unwrap());
        assert_ne!(logo.digest, Logo::draw(&png(&picture(30, 40))).unwrap().digest);
        assert_eq!(logo.digest.as_str().len(), 64);
        assert_eq!(Logo::draw(&logo.content).unwrap(), logo, "our own drawing stays as it is");
    }

    #[test]
    fn what_a_file_holds_beside_its_pixels_is_left_behind() {
        let mut file = png(&picture(40, 30));
        file.extend(b"<script>alert(1)</script>");
        let logo = Logo::draw(&file).unwrap();
        assert!(!logo.content.windows(8).any(|bytes| bytes == b"<script>"));
    }

    #[test]
    fn what_is_no_picture_says_why() {
        let svg = br#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>"#;
        assert_eq!(Logo::draw(svg), Err(LogoFault::Format));
        assert_eq!(Logo::draw(b""), Err(LogoFault::Format));
        assert_eq!(Logo::draw(b"GIF89a\x01\x00\x01\x00"), Err(LogoFault::Format));
        assert_eq!(Logo::draw(&vec![0; LARGEST_FILE + 1]), Err(LogoFault::TooLarge));
        assert_eq!(Logo::draw(&png(&picture(8, 40))), Err(LogoFault::Pixels));
        assert_eq!(Logo::draw(&png(&picture(2_049, 16))), Err(LogoFault::Pixels));
        let whole = png(&picture(40, 30));
        assert_eq!(Logo::draw(&whole[..whole.len() / 2]), Err(LogoFault::Damaged));
    }

    #[test]
    fn a_small_file_that_claims_a_huge_picture_is_not_decoded() {
        let mut file = png(&picture(40, 30));
        // The width and height of the first chunk, and its checksum.
        file[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
        let checksum = crc(&file[12..29]);
        file[29..33].copy_from_slice(&checksum.to_be_bytes());
        assert_eq!(Logo::draw(&file), Err(LogoFault::Pixels));
    }

    /// As PNG has it.
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 }
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_file_does_harm(at in 0_usize..4_000, flips in any::<[u8; 8]>()) {
            let mut file = png(&picture(48, 48));
            let at = at % file.len();
            for (byte, flip) in file[at..].iter_mut().zip(flips) {
                *byte ^= flip;
            }
            if let Ok(logo) = Logo::draw(&file) {
                prop_assert!(logo.content.len() <= 300_000);
            }
        }
    }
}
