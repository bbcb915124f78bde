// @ts-check
// Coastlines, borders, plate boundaries and state lines.

/**
 * Lines ready to draw, in degrees of longitude and of downward height.
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
    for (let shift = 0; ; shift += 7) {
      const byte = bytes.charCodeAt(position++);
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const nextSigned = () => {
    const value = next();
    return (value >>> 1) ^ -(value & 1);
  };
  return { next, nextSigned };
}

/** @type {Record<string, Outlines>} */
const unpacked = {};

/** @param {Path2D} path @param {number[]} line longitudes and heights in turn @param {boolean} isClosed */
function trace(path, line, isClosed) {
  path.moveTo(line[0], line[1]);
  for (let k = 2; k < line.length; k += 2) path.lineTo(line[k], line[k + 1]);
  if (isClosed) path.closePath();
}

/**
 * Returns the outlines `coarse` or `fine`, or those of a box of `data.near`, unpacked when first needed.
 * @param {string | number} name
 */
const outlines = (name) =>
  (unpacked[name] ??= typeof name === "number"
    ? unpackedOutlines(data.near?.boxes[name][4] ?? "", 0)
    // The coarse outlines are the fine ones without points that are close to the one before.
    : unpackedOutlines(byId("fine").textContent.trim(), name === "coarse" ? 0.5 : 0));

/**
 * Unpacks the format of Scripts/pack-outlines.
 * @param {string} text @param {number} apart the minimum distance between points, in degrees
 */
function unpackedOutlines(text, apart) {
  const { next, nextSigned } = packedNumbers(text);
  const steps = next();
  const least = apart * steps;
  const layers = Math.min(next(), least ? 3 : 4);
  const result = { land: new Path2D(), coast: new Path2D(), borders: new Path2D(), plates: new Path2D(), states: new Path2D() };
  const paths = [result.coast, result.borders, result.plates, result.states];
  const rings = new Path2D();
  let x = 0;
  let y = 0;
  for (let layer = 0; layer < layers; layer++) {
    for (let lines = next(); lines > 0; lines--) {
      const header = next();
      const isClosed = header % 2 === 1;
      const line = [];
      let [keptX, keptY] = [Infinity, 0];
      for (let points = header >> 1; points > 0; points--) {
        x += nextSigned();
        y += nextSigned();
        if (points > 1 && Math.abs(x - keptX) + Math.abs(y - keptY) < least) continue;
        [keptX, keptY] = [x, y];
        line.push(x / steps, -heightOfLatitude(y / steps));
      }
      // Islands with few points left are not drawn.
      if (least && isClosed && line.length < 10) continue;
      trace(isClosed && layer === 0 ? rings : paths[layer], line, isClosed);
      if (layer === 0 && Math.abs(x / steps - line[0]) > 359) {
        // The line goes around a pole, so the land extends to the pole.
        const edge = y < 0 ? pole : -pole;
        trace(result.land, [...line, x / steps, edge, line[0], edge], true);
      }
    }
  }
  // All rings are added at once, because adding a path to another one takes long.
  result.land.addPath(rings);
  result.coast.addPath(rings);
  return result;
}
