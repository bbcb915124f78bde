// @ts-check
// The page: a list and a map of the same quakes, with a shared selection. Its files form one script, in the order given
// in QuakeMapFiles.c.
//
// Data flows one way: when a filter, the sort column, the map's position or the moment of a replay changes, `update()`
// decides which quakes are shown, and list, histogram and map draw them. Every selection goes through `select()`. The
// URL describes what the page shows (url.js).
"use strict";

/**
 * A class of a scale: its values, its colors on light and dark backgrounds, its label, and the color of its outline on
 * a light background. Its values are the numbers from a minimum, the numbers in an array, or the texts with a prefix;
 * null stands for all other values.
 * @typedef {[number | string | number[] | null, string, string, string, string]} ScaleClass
 * @typedef {{ title: string, isLength: boolean, of: string, classes: ScaleClass[] }} Scale
 */

/**
 * A place: its latitude, longitude and name.
 * @typedef {[number, number, string]} Site
 */

/**
 * A part of the map with its outlines: west, south, east, north, and the packed text.
 * @typedef {[number, number, number, number, string]} NearBox
 */

/**
 * The data block, which PageData.swift writes and documents. A replay sets the columns to the values known at a moment.
 * @typedef {Object} Data
 * @property {number} asOf
 * @property {string | null} selected
 * @property {[number, number, number, number]} bounds west, south, east, north
 * @property {number} count the number of quakes; departed ones, which only appear in a replay, come last
 * @property {number} present the number of quakes that are not departed
 * @property {[number, number] | null} home latitude, longitude
 * @property {Site[]} [centers] of the query's circles; their names may be empty
 * @property {Site[]} [sites] the places at which intensity is estimated
 * @property {{ boxes: NearBox[], cities?: [string, number, number][] }} [near] more detailed outlines of a region or near quakes, and the largest cities of a small region
 * @property {string} color the name of the initial one of the `scales`
 * @property {{ box?: [number, number, number, number], circle?: [number, number, number] }[]} scope
 * @property {string} unit
 * @property {string} zone
 * @property {number | null} reload the seconds between reloads
 * @property {{ recorded: number, published: number | null, shown: Record<string, string> } | null} replay
 * @property {[number, number]} radius
 * @property {[number, number, number][]} bands how circles are drawn: their minimum magnitude, the opacity inside, and the width of the outline
 * @property {Record<string, Scale>} scales the meanings of colors
 * @property {number[]} time
 * @property {number[]} lon
 * @property {number[]} lat
 * @property {(number | null)[]} depth
 * @property {(number | null)[]} mag
 * @property {string[]} id
 * @property {(string | null)[]} place
 * @property {number[]} start the index in `parts` of the first part of the place
 * @property {(number | null)[]} name the index of the second part; null without a place
 * @property {string[]} parts
 * @property {(number | null)[]} city the nearest one, as an index in `cities`
 * @property {[string, number, number][]} cities name, latitude, longitude
 * @property {Record<string, string>} regions by the last part of a place, unless that is itself a region's name
 * @property {number[]} magType
 * @property {number[]} status
 * @property {number[]} type
 * @property {Record<string, Record<string, any>>} rare
 * @property {Record<string, any[][]>} history
 * @property {Record<string, { steps: [number, number | null, number | null][], mechanisms: [number, string, string, number[] | null][] }>} solutions in steps: start, magnitude, depth; in mechanisms: start, words, source, tensor
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
/** Whether each quake is on the map, whatever the filters; without a replay, 0 only for departed quakes. */
const isPresent = new Uint8Array(count).fill(1, 0, data.present);
for (let i = 0, moment = 0; i < count; i++) {
  moment += data.time[i];
  time[i] = moment;
  longitude[i] = data.lon[i] / 1e4;
  latitude[i] = data.lat[i] / 1e4;
  height[i] = heightOfLatitude(latitude[i]);
  radius[i] = radiusOfMagnitude(data.mag[i]);
}

/** The index of the first of the `data.bands` with large quakes, whose circles never recede. */
const large = 2;
/** @param {number | null} magnitude @returns {number} the index in `data.bands` */
function bandOf(magnitude) {
  let band = data.bands.length - 1;
  while (band > 0 && (magnitude ?? 0) < data.bands[band][0]) band--;
  return band;
}

/** The indices of the quakes in drawing order. Same order as in MapContent.swift. */
let drawingOrder = sortedForDrawing();

function sortedForDrawing() {
  // Sorting numbers that combine rank and index needs no comparison function and takes a tenth of the time.
  const keys = Float64Array.from(time, (moment, i) => {
    const magnitude = data.mag[i] ?? 0;
    const band = bandOf(magnitude);
    const rank = band >= large ? 100 * band - magnitude : 20 * band + magnitude + (data.asOf - moment < 86400e3 ? 1 : 0);
    return Math.round(rank * 1e6) * count + i;
  });
  return Uint32Array.from(keys.sort(), (key) => key - Math.floor(key / count) * count);
}

/**
 * Returns the data with a column for each property whose values the data block stores only once.
 * @param {any} packed @returns {Data}
 */
function unpackedData({ kind, kinds, ...data }) {
  const [magType, status, type] = [0, 1, 2].map((k) => kind.map((/** @type {number} */ one) => kinds[one][k]));
  const place = data.name.map((/** @type {number | null} */ one, /** @type {number} */ i) =>
    one === null ? null : data.parts[data.start[i]] + data.parts[one]);
  /** @type {Data["history"] | null} */
  let history = null;
  return {
    ...data, magType, status, type, place,
    // The history makes up half of the data, and only the card and replays of revisions need it, so it is read late.
    get history() {
      return (history ??= JSON.parse(byId("history").textContent));
    },
  };
}

/**
 * The reason, in the history, of a solution that was published before the first snapshot with its quake.
 */
const solutionReason = "new solution";

/** @param {number | null} magnitude */
function radiusOfMagnitude(magnitude) {
  const [smallest, growth] = data.radius;
  return Math.min(Math.max(smallest * growth ** (magnitude ?? 1), 1.3), 26);
}

/**
 * Returns the height of a latitude: Mercator up to 60°, equal steps beyond. Same as in MapProjection.swift.
 * @param {number} degrees
 */
function heightOfLatitude(degrees) {
  const distance = Math.min(Math.abs(degrees), 90);
  const mercator = (/** @type {number} */ d) =>
    (Math.log(Math.tan(Math.PI / 4 + (d * Math.PI) / 360)) * 180) / Math.PI;
  return Math.sign(degrees) * (distance <= 60 ? mercator(distance) : mercator(60) + (distance - 60) * 2);
}

/**
 * Returns the latitude at a height.
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
/** Whether the page is being printed, with a light background and more pixels. */
let isOnPaper = false;
const isDark = () => darkScheme.matches && !isOnPaper;

/**
 * Returns a function from quakes to the values that a scale classifies.
 * @param {string} of @returns {(i: number) => any}
 */
function valuesOf(of) {
  const moment = replay.moment() ?? data.asOf;
  if (of === "age") return (i) => (moment - time[i]) / 3600e3;
  if (of === "intensity") return estimatedIntensity;
  const column = /** @type {any} */ (data)[of] ?? data.rare[of];
  return ["magType", "status", "type"].includes(of) ? (i) => data.words[column[i]].toLowerCase() : (i) => column[i] ?? null;
}

/**
 * Returns a function from quakes to their classes in a scale: the last class that contains the value, or if none does,
 * the last class.
 * @param {string} by @returns {(i: number) => ScaleClass}
 */
function classFinder(by) {
  const { of, classes } = data.scales[by];
  const last = classes[classes.length - 1];
  const value = valuesOf(of);
  return (i) => {
    const found = value(i);
    for (let k = classes.length - 1; k >= 0 && found !== null; k--) {
      const [values] = classes[k];
      if (typeof values === "number" ? found >= values : typeof values === "string" ? found.startsWith(values) : values?.includes(found)) {
        return classes[k];
      }
    }
    return last;
  };
}
/** @param {number} i @param {string} by */
const classOf = (i, by) => classFinder(by)(i);

/**
 * Returns black or white, whichever is more readable on a color.
 * @param {string} color
 */
function inkOn(color) {
  const [red, green, blue] = rgb(color).map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#000000" : "#ffffff";
}

/** @param {ScaleClass} one */
const colorOfClass = (one) => one[isDark() ? 2 : 1];
/**
 * Returns the color of the outline of a class, which contrasts with the map.
 * @param {ScaleClass} one
 */
const rimOfClass = (one) => one[isDark() ? 2 : 4];

/** @param {number | null} magnitude */
function magnitudeText(magnitude) {
  if (magnitude === null) return "?";
  // Rounds half up on the decimal digits, as titles do: in binary, 4.35 is slightly less than 4.35.
  const tenths = Math.floor(Math.abs(magnitude) * 10 + 0.5 + 1e-9);
  return (magnitude < 0 && tenths > 0 ? "−" : "") + (tenths / 10).toFixed(1);
}

/**
 * Returns the type of an event that is not an earthquake, as in the titles of USGS: `Quarry Blast`; empty for an
 * earthquake. Same as Quake.kind in Swift.
 * @param {number} i
 */
function kindOf(i) {
  const type = data.words[data.type[i]];
  return type === "earthquake" ? "" : type.replace(/(^| )\S/g, (start) => start.toUpperCase());
}
/**
 * Returns the place, preceded by the kind if the event is not an earthquake: `Quarry Blast – 5 km SE of Owasso,
 * Oklahoma`.
 * @param {number} i
 */
const placeOf = (i) => (kindOf(i) && `${kindOf(i)} – `) + (data.place[i] ?? "unknown place");
/** @param {number} i */
const headline = (i) => `M ${magnitudeText(data.mag[i])}${kindOf(i) ? "" : " –"} ${placeOf(i)}`;
const grouped = new Intl.NumberFormat("en").format;

/** @param {string} text */
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** All quakes in list order. `shown` contains only those that are on the map and pass the filters. */
let order = Uint32Array.from(time.keys());
let shown = order;
const isShown = new Uint8Array(count).fill(1);
/** The number of lines that each quake's name takes up in the list; 0 if not yet known. */
const lineCounts = new Uint8Array(count);
/** The index of the selected quake; -1 for none. */
let selected = -1;
