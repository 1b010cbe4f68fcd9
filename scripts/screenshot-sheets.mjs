// Puts the four pictures of a page (light and dark, wide and narrow) beside each other, at half their size.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = ['light.wide', 'light.narrow', 'dark.wide', 'dark.narrow'];

/** Writes NAME.webp for every name: from `folder`, which has the pictures, to `into`. */
export async function writeSheets(browser, { folder, into, names }) {
  mkdirSync(into, { recursive: true });
  const page = await browser.newPage();
  for (const name of names) {
    const pictures = PARTS.map((part) => readFileSync(join(folder, `${name}.${part}.png`)).toString('base64'));
    const sheet = await page.evaluate(drawSheet, pictures);
    writeFileSync(join(into, `${name}.webp`), Buffer.from(sheet, 'base64'));
  }
  await page.close();
}

/** Runs in the browser: it has the image formats. */
async function drawSheet(pictures) {
  const gap = 12;
  const images = await Promise.all(
    pictures.map(async (picture) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      return image;
    }),
  );
  const canvas = document.createElement('canvas');
  canvas.width = images.reduce((sum, { width }) => sum + width / 2 + gap, -gap);
  canvas.height = Math.max(...images.map(({ height }) => height)) / 2;
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  let x = 0;
  for (const image of images) {
    context.drawImage(image, x, 0, image.width / 2, image.height / 2);
    x += image.width / 2 + gap;
  }
  return canvas.toDataURL('image/webp', 0.85).split(',')[1];
}
