/** What a logo may be; an SVG may hold programs, and is none. */
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
export const LOGO_TYPES = TYPES.join(',');

const LARGEST = 10 << 20;
/** What is sent as it is; a larger picture is drawn smaller first, as large as logos are shown. */
const SENT_BYTES = 512 << 10;
const SENT_SIDE = 2_048;
const SIDE = 256;
/** A flatter picture is no logo. */
const LEAST_SIDE = 16;

/** Why a file is no logo, for the person who chose it. */
export class NoLogo extends Error {}

/** The bytes to send of a file. */
export async function logoBytes(file: File): Promise<Uint8Array<ArrayBuffer>> {
  if (!TYPES.includes(file.type)) throw new NoLogo(`${file.name} is no PNG, JPEG or WebP picture.`);
  if (file.size > LARGEST) {
    const megabytes = Math.ceil(file.size / (1 << 20));
    throw new NoLogo(`${file.name} is ${megabytes} MB large. Choose a picture of at most 10 MB.`);
  }
  const picture = await createImageBitmap(file).catch(() => {
    throw new NoLogo(`${file.name} can’t be read as a picture.`);
  });
  const { width, height } = picture;
  const small = file.size <= SENT_BYTES && Math.max(width, height) <= SENT_SIDE;
  const scale = Math.max(SIDE / Math.max(width, height), LEAST_SIDE / Math.min(width, height));
  const sent = small ? file : await drawn(picture, Math.min(scale, 1));
  picture.close();
  return new Uint8Array(await sent.arrayBuffer());
}

async function drawn(picture: ImageBitmap, scale: number): Promise<Blob> {
  const [width, height] = [picture.width, picture.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
