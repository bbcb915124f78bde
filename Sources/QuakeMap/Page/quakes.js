// @ts-check
// The page: a list and a map of the same quakes, with one of them selected in both. Its files make one script, in the
// order that QuakeMapFiles.c gives.
//
// Data flows one way: a filter, a column, the map's position or the moment of a replay changes → `update()` decides
// which quakes are shown → list, histogram and map draw them. A selection goes through `select()`, wherever it is made.
// What the page shows, and how, stands in its address (address.js).
"use strict";

/**
 * A class of a scale: where it begins or ends, its colors on light and on dark ground, its label.
 * @typedef {[number | string | null, string, string, string]} ScaleClass
 */

/**
 * The data block; PageData.swift writes it and says what it holds. A replay sets the values of the columns to what was
 * known at a moment.
 * @typedef {Object} Data
 * @property {number} asOf
 * @property {string | null} selected
 * @property {[number, number, number, number]} bounds west, south, east, north
 * @property {number} count of rows; quakes that are gone come after the others
 * @property {number} present how many are not gone
 * @property {[number, number] | null} home latitude, longitude
 * @property {[number, number, string]} [center] of the circle that was asked for, as `shaken`
 * @property {[number, number, string]} [shaken] latitude, longitude and name of the place of the expected shaking
 * @property {string} [color] what colors stand for at the start, if not the depth
 * @property {{ box?: [number, number, number, number], circle?: [number, number, number] } | null} scope
 * @property {string} unit
 * @property {string} zone
 * @property {number | null} reload seconds
 * @property {{ learned: number, published: number | null, shown: Record<string, string> } | null} replay
 * @property {[number, number]} radius
 * @property {{ depth: ScaleClass[], age: ScaleClass[], type: ScaleClass[], shaking?: ScaleClass[] }} scales
 * @property {number[]} time
 * @property {number[]} lon
 * @property {number[]} lat
 * @property {(number | null)[]} depth
 * @property {(number | null)[]} mag
 * @property {string[]} id
 * @property {(string | null)[]} place
 * @property {(number | null)[]} city the nearest one, as its place in `cities`
 * @property {[string, number, number][]} cities name, latitude, longitude
 * @property {Record<string, string>} regions by the last part of a place, where that is no region's name itself
 * @property {number[]} magType
 * @property {number[]} status
 * @property {number[]} type
 * @property {Record<string, Record<string, any>>} rare
 * @property {Record<string, any[][]>} history
 * @property {Record<string, { steps: [number, number | null, number | null][], mechanisms: [number, string, string, number[] | null][] }>} solved since when, magnitude, depth; since when, words, source, tensor
 * @property {string[]} words
 */

/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);
const data = unpackedData(JSON.parse(byId("data").textContent));
const count = data.count;

const time = new Float64Array(count);
const longitude = new Float64Array(count);
const latitude = new Float64Array(count);
const height = new Float64Array(count);
const radius = new Float32Array(count);
/** Whether the picture holds the quake: without replay all but those that are gone. */
const isPresent = new Uint8Array(count).fill(1, 0, data.present);
for (let i = 0, moment = 0; i < count; i++) {
  moment += data.time[i];
  time[i] = moment;
  longitude[i] = data.lon[i] / 1e4;
  latitude[i] = data.lat[i] / 1e4;
  height[i] = heightOfLatitude(latitude[i]);
  radius[i] = radiusOfMagnitude(data.mag[i]);
}

/**
 * The order of drawing. Below magnitude 5 the large and those of the last day lie above the others; all from 5 on lie
 * above these, and among themselves the smaller above the larger, so that none of them is hidden.
 */
let drawingOrder = sortedForDrawing();

function sortedForDrawing() {
  // Numbers that hold rank and quake are sorted without a function to compare them, in a tenth of the time.
  const keys = Float64Array.from(time, (moment, i) => {
    const magnitude = data.mag[i] ?? 0;
    const rank = magnitude >= 5 ? 100 - magnitude : magnitude + (data.asOf - moment < 86400e3 ? 1 : 0);
    return Math.round(rank * 1e6) * count + i;
  });
  return Uint32Array.from(keys.sort(), (key) => key - Math.floor(key / count) * count);
}

/**
 * The data as its block holds it, with what many quakes share put in place.
 * @param {any} packed @returns {Data}
 */
function unpackedData({ kind, kinds, start, name, parts, ...data }) {
  const [magType, status, type] = [0, 1, 2].map((k) => kind.map((/** @type {number} */ one) => kinds[one][k]));
  const place = name.map((/** @type {number | null} */ one, /** @type {number} */ i) =>
    one === null ? null : parts[start[i]] + parts[one]);
  /** @type {Data["history"] | null} */
  let history = null;
  return {
    ...data, magType, status, type, place,
    // Half of the bytes, and needed only for the card and for a replay of what was known.
    get history() {
      return (history ??= JSON.parse(byId("history").textContent));
    },
  };
}

/** @param {number | null} magnitude */
function radiusOfMagnitude(magnitude) {
  const [smallest, growth] = data.radius;
  return Math.min(Math.max(smallest * growth ** (magnitude ?? 1), 1.3), 60);
}

/**
 * Mercator up to 60°, equal steps beyond; MapProjection.swift has the same.
 * @param {number} degrees
 */
function heightOfLatitude(degrees) {
  const distance = Math.min(Math.abs(degrees), 90);
  const mercator = (/** @type {number} */ d) =>
    (Math.log(Math.tan(Math.PI / 4 + (d * Math.PI) / 360)) * 180) / Math.PI;
  return Math.sign(degrees) * (distance <= 60 ? mercator(distance) : mercator(60) + (distance - 60) * 2);
}

/**
 * The latitude at a height.
 * @param {number} high
 */
function latitudeOfHeight(high) {
  const distance = Math.abs(high);
  const seam = heightOfLatitude(60);
  const degrees =
    distance <= seam ? (2 * Math.atan(Math.exp((distance * Math.PI) / 180)) - Math.PI / 2) * (180 / Math.PI)
      : Math.min(60 + (distance - seam) / 2, 90);
  return Math.sign(high) * degrees;
}

const pole = heightOfLatitude(90);
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

/**
 * The class of a quake in one of the scales.
 * @param {number} i @param {string} by @returns {ScaleClass}
 */
function classOf(i, by) {
  if (by === "age") {
    const age = (replay.moment() ?? data.asOf) - time[i];
    return data.scales.age.find(([limit]) => limit === null || age <= Number(limit)) ?? data.scales.age[0];
  }
  if (by === "type") {
    const type = data.words[data.magType[i]].toLowerCase();
    return data.scales.type.find(([start]) => start === null || type.startsWith(String(start))) ?? data.scales.type[0];
  }
  const [classes, value] = by === "shaking" && data.scales.shaking
    ? [data.scales.shaking, expectedIntensity(i)] : [data.scales.depth, data.depth[i]];
  // The last one is for values that are not known.
  if (value === null) return classes[classes.length - 1];
  let found = classes[0];
  for (const one of classes) if (typeof one[0] === "number" && value >= one[0]) found = one;
  return found;
}

/** @param {ScaleClass} one */
const colorOfClass = (one) => one[darkScheme.matches ? 2 : 1];

/** @param {number | null} magnitude */
function magnitudeText(magnitude) {
  if (magnitude === null) return "?";
  // Half up on the decimal digits, as titles do: 4.35 is a little less than 4.35 in binary.
  const tenths = Math.floor(Math.abs(magnitude) * 10 + 0.5 + 1e-9);
  return (magnitude < 0 && tenths > 0 ? "−" : "") + (tenths / 10).toFixed(1);
}

/**
 * What a quake is, if it is not an earthquake, in the form of the feed's titles: `Quarry Blast`. Quake.kind in Swift is the
 * same.
 * @param {number} i
 */
function kindOf(i) {
  const type = data.words[data.type[i]];
  return type === "earthquake" ? "" : type.replace(/(^| )\S/g, (start) => start.toUpperCase());
}
/**
 * The place, where an event that is not an earthquake says so: `Quarry Blast – 5 km SE of Owasso, Oklahoma`.
 * @param {number} i
 */
const placeOf = (i) => (kindOf(i) && `${kindOf(i)} – `) + (data.place[i] ?? "unknown place");
/** @param {number} i */
const headline = (i) => `M ${magnitudeText(data.mag[i])}${kindOf(i) ? "" : " –"} ${placeOf(i)}`;
const grouped = new Intl.NumberFormat("en").format;

/** @param {string} text */
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The order of the list, then what of it is shown. */
let order = Uint32Array.from(time.keys());
let shown = order;
const isShown = new Uint8Array(count).fill(1);
/** The number of the selected quake, or -1. */
let selected = -1;
