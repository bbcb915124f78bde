// @ts-check
// Coastlines, borders, plate boundaries and state lines.

/**
 * Paths ready to draw, in degrees of longitude and of downward height.
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
 * Returns the outlines `coarse` or `fine`, unpacked when first needed. Scripts/pack-outlines documents the format.
 * @param {string} name
 */
function outlines(name) {
  if (unpacked[name]) return unpacked[name];
  const { next, nextSigned } = packedNumbers(byId(name).textContent.trim());
  const steps = next();
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
      for (let k = 0; k < header >> 1; k++) {
        x += nextSigned();
        y += nextSigned();
        last = x / steps;
        if (k === 0) first = last;
        line.lineTo(last, -heightOfLatitude(y / steps));
      }
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
