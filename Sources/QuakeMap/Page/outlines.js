// @ts-check
// Coastlines, borders, plate boundaries and state lines.

/**
 * Lines ready to draw, in degrees of longitude and of height downwards.
 * @typedef {{ land: Path2D, coast: Path2D, borders: Path2D, plates: Path2D, states: Path2D }} Outlines
 */

/**
 * Returns a reader for the variable-length integers in base64 text.
 * @param {string} text
 */
function packedNumbers(text) {
  const bytes = atob(text);
  let position = 0;
  const next = () => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes.charCodeAt(position++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  const nextSigned = () => {
    const value = next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  };
  return { next, nextSigned };
}

/** @type {Record<string, Outlines>} */
const unpacked = {};

/**
 * The finer ground of a small region; NearOutlines.swift says how it lies.
 * @param {NonNullable<Data["near"]>} near @returns {Outlines}
 */
function nearOutlines({ steps, land, borders }) {
  const pathOf = (/** @type {number[][]} */ lines, /** @type {boolean} */ isClosed) => {
    const path = new Path2D();
    for (const line of lines) {
      let [x, y] = [0, 0];
      for (let k = 0; k < line.length; k += 2) {
        x += line[k];
        y += line[k + 1];
        path[k ? "lineTo" : "moveTo"](x / steps, -heightOfLatitude(y / steps));
      }
      if (isClosed) path.closePath();
    }
    return path;
  };
  const coast = pathOf(land, true);
  return { land: coast, coast, borders: pathOf(borders, false), plates: new Path2D(), states: new Path2D() };
}

/**
 * The outlines `coarse`, `fine` or `near`, unpacked when first needed; Scripts/pack-outlines says how they lie.
 * @param {string} name
 */
function outlines(name) {
  if (unpacked[name]) return unpacked[name];
  if (name === "near" && data.near) return (unpacked[name] = nearOutlines(data.near));
  // Coarse ones are the fine ones without the points that lie close together.
  const { next, nextSigned } = packedNumbers(byId(name === "coarse" ? "fine" : name).textContent.trim());
  const steps = next();
  const least = name === "coarse" ? 0.5 * steps : 0;
  const layers = next();
  const result = { land: new Path2D(), coast: new Path2D(), borders: new Path2D(), plates: new Path2D(), states: new Path2D() };
  const paths = [result.coast, result.borders, result.plates, result.states];
  let x = 0;
  let y = 0;
  for (let layer = 0; layer < layers; layer++) {
    for (let lines = next(); lines > 0; lines--) {
      const header = next();
      const isClosed = header % 2 === 1;
      const line = new Path2D();
      let first = 0;
      let last = 0;
      let [keptX, keptY] = [Infinity, 0];
      const points = header >> 1;
      let kept = 0;
      for (let k = 0; k < points; k++) {
        x += nextSigned();
        y += nextSigned();
        if (k < points - 1 && Math.abs(x - keptX) + Math.abs(y - keptY) < least) continue;
        [keptX, keptY] = [x, y];
        kept++;
        last = x / steps;
        if (k === 0) first = last;
        line.lineTo(last, -heightOfLatitude(y / steps));
      }
      // Islands of which nothing is left are not drawn.
      if (least && isClosed && kept < 5) continue;
      if (isClosed) line.closePath();
      paths[layer].addPath(line);
      if (layer > 0) continue;
      if (Math.abs(last - first) > 359) {
        // The line goes around a pole, so the land extends to the pole.
        const edge = y < 0 ? pole : -pole;
        line.lineTo(last, edge);
        line.lineTo(first, edge);
        result.land.addPath(line);
      } else if (isClosed) {
        result.land.addPath(line);
      }
    }
  }
  return (unpacked[name] = result);
}
