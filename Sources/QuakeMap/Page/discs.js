// @ts-check
// Circles drawn pixel by pixel, ten times as fast as a canvas draws them.

/**
 * A circle that is ready to be drawn into an image many times: how far it reaches from its center, and for each of its
 * pixels the offset from the center, the opacity, and the value of the pixel in an empty image.
 * @typedef {{ reach: number, dx: number[], dy: number[], alpha: number[], whole: number[] }} Stamp
 */

/**
 * Creates a stamp.
 * @param {number} halves its radius in half pixels @param {number[]} color @param {number[]} rimColor
 * @param {number} fill the opacity inside the rim @param {number} opacity of the whole @param {number} rim its width
 * @returns {Stamp}
 */
function stamp(halves, color, rimColor, fill, opacity, rim) {
  const radius = halves / 2;
  const reach = Math.ceil(radius + 1);
  const made = /** @type {Stamp} */ ({ reach, dx: [], dy: [], alpha: [], whole: [] });
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      const distance = Math.sqrt(dx * dx + dy * dy);
      const cover = Math.min(radius + 0.5 - distance, 1);
      if (cover <= 0) continue;
      const inner = (Math.min(Math.max(radius + 0.5 - rim - distance, 0), 1) / cover) * fill;
      const outer = 1 - inner / fill;
      const alpha = cover * opacity * (inner + outer);
      const part = (/** @type {number} */ k) => (color[k] * inner + rimColor[k] * outer) / (inner + outer);
      made.dx.push(dx);
      made.dy.push(dy);
      made.alpha.push(alpha);
      made.whole.push(pixelOf(alpha, part(0), part(1), part(2)));
    }
  }
  return made;
}

/**
 * Returns a pixel with red in the lowest byte, as in the images of every browser.
 * @param {number} alpha @param {number} red @param {number} green @param {number} blue
 */
const pixelOf = (alpha, red, green, blue) =>
  ((alpha * 255 + 0.5) << 24) | ((blue + 0.5) << 16) | ((green + 0.5) << 8) | (red + 0.5);

/**
 * Draws a stamp over an image. The circles of 20,000 quakes have 300,000 pixels, so stamps are computed in advance.
 * @param {{ width: number, height: number }} image @param {Uint32Array} pixels of the image @param {Stamp} stamp
 * @param {number} x @param {number} y
 */
function blend({ width, height }, pixels, { reach, dx, dy, alpha, whole }, x, y) {
  const isInside = x >= reach && y >= reach && x + reach < width && y + reach < height;
  for (let k = 0; k < alpha.length; k++) {
    const px = x + dx[k];
    const py = y + dy[k];
    if (!isInside && (px < 0 || py < 0 || px >= width || py >= height)) continue;
    const pixel = py * width + px;
    const under = pixels[pixel];
    const over = whole[k];
    if (under === 0) {
      pixels[pixel] = over;
      continue;
    }
    const sum = alpha[k] + ((under >>> 24) / 255) * (1 - alpha[k]);
    const share = alpha[k] / sum;
    const red = under & 255;
    const green = (under >> 8) & 255;
    const blue = (under >> 16) & 255;
    pixels[pixel] = pixelOf(
      sum, red + ((over & 255) - red) * share, green + (((over >> 8) & 255) - green) * share,
      blue + (((over >> 16) & 255) - blue) * share);
  }
}

/** @param {string} color #rrggbb */
function rgb(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}
