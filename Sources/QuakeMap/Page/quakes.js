// @ts-check
// The page: a list and a map of the same quakes, with one of them selected in both. Its files make one script, in the
// order quakes, filters, list, outlines, discs, map, card, start (QuakeMapFiles.c).
//
// Data flows one way: a filter, a column or the map's position changes → `update()` decides which quakes are shown →
// list, histogram and map draw them. A selection goes through `select()`, wherever it is made.
"use strict";

/**
 * The data block; PageData.swift writes it and says what it holds.
 * @typedef {Object} Data
 * @property {number} asOf
 * @property {string | null} selected
 * @property {[number, number, number, number]} bounds west, south, east, north
 * @property {number} count
 * @property {[number, number]} radius
 * @property {[number | null, string, string][]} depths from, colour, label
 * @property {string} unknownDepth
 * @property {number[]} time
 * @property {number[]} lon
 * @property {number[]} lat
 * @property {(number | null)[]} depth
 * @property {(number | null)[]} mag
 * @property {string[]} id
 * @property {(string | null)[]} place
 * @property {number[]} magType
 * @property {number[]} status
 * @property {number[]} type
 * @property {Record<string, Record<string, any>>} rare
 * @property {Record<string, any[][]>} history
 * @property {string[]} words
 */

/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);
/** @type {Data} */
const data = JSON.parse(byId("data").textContent);
const count = data.count;

const time = new Float64Array(count);
const longitude = new Float64Array(count);
const latitude = new Float64Array(count);
const height = new Float64Array(count);
const radius = new Float32Array(count);
for (let i = 0, moment = 0; i < count; i++) {
  moment += data.time[i];
  time[i] = moment;
  longitude[i] = data.lon[i] / 1e4;
  latitude[i] = data.lat[i] / 1e4;
  height[i] = heightOfLatitude(latitude[i]);
  radius[i] = radiusOfMagnitude(data.mag[i]);
}

/** Large quakes are drawn first, so that none hides a smaller one. */
const drawingOrder = Uint32Array.from(time.keys()).sort((a, b) => radius[b] - radius[a]);

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

const pole = heightOfLatitude(90);
const ages = [
  { limit: 3600e3, label: "hour", color: "#fde725" },
  { limit: 86400e3, label: "day", color: "#5ec962" },
  { limit: 7 * 86400e3, label: "week", color: "#21918c" },
  { limit: 30 * 86400e3, label: "month", color: "#3b528b" },
  { limit: Infinity, label: "older", color: "#440154" },
];

/** @param {number} i @param {string} by @returns {string} */
function colorOf(i, by) {
  if (by === "age") {
    const age = data.asOf - time[i];
    return (ages.find((step) => age <= step.limit) ?? ages[4]).color;
  }
  const depth = data.depth[i];
  if (depth === null) return data.unknownDepth;
  let color = data.depths[0][1];
  for (const [from, next] of data.depths) if (from === null || depth >= from) color = next;
  return color;
}

/** @param {number | null} magnitude */
function magnitudeText(magnitude) {
  if (magnitude === null) return "?";
  // Half up on the decimal digits, as titles do: 4.35 is a little less than 4.35 in binary.
  const tenths = Math.floor(Math.abs(magnitude) * 10 + 0.5 + 1e-9);
  return (magnitude < 0 && tenths > 0 ? "−" : "") + (tenths / 10).toFixed(1);
}

/**
 * A number with at most two decimals: feeds publish depths such as 1.1100000143051.
 * @param {number} number
 */
const short = (number) => String(Math.round(number * 100) / 100);
/** @param {number} i */
const placeOf = (i) => data.place[i] ?? "place not given";
/** @param {number} i */
const headline = (i) => `M ${magnitudeText(data.mag[i])} – ${placeOf(i)}`;
/** @param {number} moment */
const utc = (moment) => new Date(moment).toISOString().slice(0, 19).replace("T", " ");
const grouped = new Intl.NumberFormat("en").format;

/** @param {string} text */
const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The order of the list, then what of it is shown. */
let order = Uint32Array.from(time.keys());
let shown = order;
const isShown = new Uint8Array(count).fill(1);
/** The number of the selected quake, or -1. */
let selected = -1;
