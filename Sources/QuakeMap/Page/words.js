// @ts-check
// Times, lengths and other values as text for people, in the chosen time zone and unit.

/** @param {string} zone such as `America/Los_Angeles`, whose city is returned */
const cityOfZone = (zone) => (zone.split("/").pop() ?? "").replaceAll("_", " ");
const zoneChoice = byId("zone");
const unitChoice = byId("unit");
unitChoice.value = data.unit;
{
  const named = data.zone !== "UTC" && data.zone !== "local";
  if (named) zoneChoice.prepend(new Option(cityOfZone(data.zone), data.zone));
  zoneChoice.value = data.zone;
}
const defaultZone = zoneChoice.value;
for (const [name, choice, initial] of [["zone", zoneChoice, defaultZone], ["unit", unitChoice, data.unit]]) {
  choice.addEventListener("change", () => {
    showChosenWords();
    scheduleURLUpdate();
  });
  urlParts.set(name, {
    get: () => (choice.value === initial ? null : choice.value),
    set(text) {
      const known = [...choice.options].some((/** @type {HTMLOptionElement} */ option) => option.value === text);
      const before = choice.value;
      choice.value = known ? text : initial;
      if (choice.value !== before) showChosenWords();
    },
  });
}

/** Updates all times and lengths after a change of zone or unit. */
function showChosenWords() {
  for (const range of [timeRange, magRange, depthRange]) range.show();
  list.refresh();
  drawHistogram();
  showCard();
  showFilterWords();
  showSpan();
  legend.show();
  map.placeOverlay();
  replay.show();
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const zoneFormats = new Map();
/** @param {string} zone an `Intl` time zone name; empty for this computer's zone */
function zoneFormat(zone) {
  const known = zoneFormats.get(zone);
  if (known) return known;
  /** @type {Intl.DateTimeFormatOptions} */
  const options = {
    timeZone: zone || undefined, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit",
    minute: "2-digit", second: "2-digit", timeZoneName: "short",
  };
  /** @type {Intl.DateTimeFormat} */
  let format;
  try {
    format = new Intl.DateTimeFormat("en-GB", options);
  } catch {
    // This browser does not know the zone.
    format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
  }
  zoneFormats.set(zone, format);
  return format;
}

/**
 * Returns the approximate offset from UTC at a quake in hours, from its longitude, like nautical time zones.
 * @param {number} i
 */
const hoursByLongitude = (i) => Math.round(longitude[i] / 15);

/**
 * Returns a time such as `2021-07-22 20:39:44`, and the name of the zone at that time.
 * @param {number} moment @param {number} i the quake whose local time may have been chosen; -1 for none
 * @returns {[string, string]}
 */
function timeInZone(moment, i, zone = zoneChoice.value) {
  if (zone === "quake" && i >= 0) {
    const hours = hoursByLongitude(i);
    const name = hours === 0 ? "UTC" : `UTC${hours < 0 ? "−" : "+"}${Math.abs(hours)}`;
    return [utcText(moment + hours * 3600e3), name];
  }
  if (zone === "UTC" || zone === "quake") return [utcText(moment), "UTC"];
  /** @type {Record<string, string>} */
  const parts = {};
  for (const { type, value } of zoneFormat(zone === "local" ? "" : zone).formatToParts(moment)) parts[type] = value;
  const { year, month, day, hour, minute, second, timeZoneName } = parts;
  return [`${year}-${month}-${day} ${hour}:${minute}:${second}`, timeZoneName.replace("GMT", "UTC").replace("-", "−")];
}

/** @param {number} moment */
const utcText = (moment) => new Date(moment).toISOString().slice(0, 19).replace("T", " ");
/** Returns whether all quakes are from the same year, which dates then leave out. */
const isOneYear = () => minuteText(firstTime).slice(0, -12) === minuteText(lastTime).slice(0, -12);
/**
 * The chosen zone's offsets from UTC in milliseconds, by zone and hour.
 * @type {Map<string, number>}
 */
const zoneOffsets = new Map();
/**
 * Returns a function that gives the chosen zone's offset from UTC at a moment, in milliseconds.
 * @returns {(moment: number) => number}
 */
function offsetFinder() {
  const zone = zoneChoice.value;
  if (zone === "UTC") return () => 0;
  return (moment) => {
    const hour = Math.floor(moment / 3600e3) * 3600e3;
    const key = `${zone} ${hour}`;
    let offset = zoneOffsets.get(key);
    if (offset === undefined) {
      zoneOffsets.set(key, (offset = Date.parse(`${timeInZone(hour, -1, zone)[0].replace(" ", "T")}Z`) - hour));
    }
    return offset;
  };
}
/**
 * Returns a function that gives the day of a moment in the chosen zone, as the number of days since January 1, 1970.
 */
function dayFinder() {
  const offsetAt = offsetFinder();
  return (/** @type {number} */ moment) => Math.floor((moment + offsetAt(moment)) / 86400e3);
}
const dayFormats = [undefined, /** @type {const} */ ("numeric")].map((year) =>
  new Intl.DateTimeFormat("en", { timeZone: "UTC", weekday: "short", month: "long", day: "numeric", year }));
/**
 * Returns a day such as `Thu, July 22`, with the year if quakes are from several years.
 * @param {number} day
 */
const dayWords = (day) => dayFormats[isOneYear() ? 0 : 1].format(day * 86400e3);
/** @param {number} moment */
const minuteText = (moment) => timeInZone(moment, -1)[0].slice(0, 16);

/**
 * Returns a number with at most two decimals, because feeds contain depths such as 1.1100000143051.
 * @param {number} number
 */
const roundedText = (number) => String(Math.round(number * 100) / 100);
/** @param {number} kilometers */
const inUnit = (kilometers) => (unitChoice.value === "mi" ? kilometers / 1.609344 : kilometers);
/** @param {number} kilometers */
function lengthText(kilometers, decimals = 2) {
  const factor = 10 ** decimals;
  // Avoids −0 km.
  const rounded = Math.round(inUnit(kilometers) * factor) / factor || 0;
  return `${grouped(rounded).replace("-", "−")} ${unitChoice.value}`;
}
/** @param {number} kilometers */
const depthText = (kilometers) =>
  kilometers < 0 ? `${lengthText(-kilometers)} above sea level` : `${lengthText(kilometers)} deep`;

const romanNumerals = ["I", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
const intensityWords = [
  "not felt", "not felt", "weak", "weak", "light", "moderate", "strong", "very strong", "severe", "violent", "extreme",
  "extreme", "extreme",
];
/**
 * Returns an intensity as text: `IV (light)`.
 * @param {number} intensity
 */
const intensityText = (intensity) => `${romanNumeral(intensity)} (${intensityWords[intensityClass(intensity)]})`;
/** @param {number} intensity */
const romanNumeral = (intensity) => romanNumerals[intensityClass(intensity)];
/** @param {number} intensity */
const intensityClass = (intensity) => Math.min(Math.max(Math.round(intensity), 0), 12);
/**
 * Returns the larger of a quake's maximum intensities from ShakeMap (MMI) and DYFI (CDI); null if there is none.
 * @param {number} i @returns {number | null}
 */
function intensityOf(i) {
  const known = [data.rare.mmi[i], data.rare.cdi[i]].filter((value) => value !== undefined);
  return known.length ? Math.max(...known) : null;
}

/** @param {number} intensity @param {string} text */
function intensityChip(intensity, text) {
  const chip = element("span", text, `mmi mmi-${Math.min(intensityClass(intensity), 10)}`);
  chip.title = `Intensity ${intensityText(intensity)}`;
  return chip;
}

/**
 * Returns degrees as text: `12.5°N`.
 * @param {number} value @param {string} positive @param {string} negative
 */
function degreesText(value, positive, negative, decimals = 2) {
  const text = String(Number(Math.abs(value).toFixed(decimals)));
  return text === "0" || text === "180" ? `${text}°` : `${text}°${value < 0 ? negative : positive}`;
}
/** @param {number} value */
const latitudeText = (value, decimals = 2) => degreesText(value, "N", "S", decimals);
/**
 * Returns a longitude, which may lie beyond 180°, as text.
 * @param {number} value
 */
const longitudeText = (value, decimals = 2) =>
  degreesText(value - Math.floor((value + 180) / 360) * 360, "E", "W", decimals);

const earthRadius = 6371.0088;
const radians = Math.PI / 180;
/**
 * Returns the distance between two places in kilometers.
 * @param {number} lat @param {number} lon @param {number} lat2 @param {number} lon2
 */
function distanceBetween(lat, lon, lat2, lon2) {
  const half = (/** @type {number} */ degrees) => Math.sin((degrees * radians) / 2) ** 2;
  const square = half(lat2 - lat) + Math.cos(lat * radians) * Math.cos(lat2 * radians) * half(lon2 - lon);
  return 2 * earthRadius * Math.asin(Math.min(Math.sqrt(square), 1));
}
/**
 * Returns the site nearest to a quake; undefined without sites.
 * @param {Site[]} sites @param {number} i @returns {Site | undefined}
 */
function nearestSite(sites, i) {
  if (sites.length < 2) return sites[0];
  const away = (/** @type {Site} */ site) => distanceBetween(site[0], site[1], latitude[i], longitude[i]);
  return sites.reduce((best, site) => (away(site) < away(best) ? site : best));
}
/**
 * The points from which distances are measured: the centers of the query's circles, or home.
 * @type {Site[]}
 */
const references = data.centers ?? (data.home ? [[data.home[0], data.home[1], "home"]] : []);
/** @param {number} i */
function distanceFromReference(i) {
  const site = nearestSite(references, i);
  return site ? distanceBetween(site[0], site[1], latitude[i], longitude[i]) : 0;
}
/**
 * Returns the compass direction from one place to another: `NNW`.
 * @param {number} lat @param {number} lon @param {number} lat2 @param {number} lon2
 */
function compassBetween(lat, lon, lat2, lon2) {
  const [from, to, turn] = [lat * radians, lat2 * radians, (lon2 - lon) * radians];
  const angle = Math.atan2(
    Math.sin(turn) * Math.cos(to), Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn));
  const names = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");
  return names[Math.round(angle / radians / 22.5 + 16) % 16];
}

/**
 * The names of properties in the revision history, if they differ from those in the data.
 * @type {Record<string, string>}
 */
const valueNames = {
  id: "ID", time: "origin time", mag: "magnitude", magType: "magnitude type", lat: "latitude", lon: "longitude",
  type: "event type", felt: "felt reports", tsunami: "tsunami flag", sig: "significance", cdi: "max CDI (DYFI)",
  mmi: "max MMI (ShakeMap)", alert: "PAGER alert", nst: "stations", dmin: "nearest station (°)",
  rms: "RMS residual (s)", gap: "azimuthal gap (°)", net: "network", code: "network's event code", ids: "IDs",
  sources: "contributing networks", types: "product types", horizontal_error: "epicenter uncertainty",
  depth_error: "depth uncertainty", mag_error: "magnitude uncertainty", mag_nst: "magnitude stations",
  location_source: "location source", mag_source: "magnitude source", tz: "offset from UTC (min)", extra: "other properties",
};

/**
 * Returns a value in the history as text.
 * @param {string} name @param {any} value
 */
function valueText(name, value) {
  if (value === null) return "none";
  if (name === "time" || name === "updated") return timeInZone(value, -1).join(" ");
  if (name === "mag") return magnitudeText(value);
  if (["depth", "horizontal_error", "depth_error"].includes(name)) return lengthText(value);
  if (name === "cdi" || name === "mmi") return intensityText(value);
  if (name === "tsunami") return value === 1 ? "yes" : "no";
  if (["ids", "sources", "types"].includes(name)) return String(value).split(",").filter(Boolean).join(", ");
  return typeof value === "number" ? numberText(Math.round(value * 1e4) / 1e4) : String(value);
}
/** @param {number} number */
const numberText = (number) => String(number).replace("-", "−");

/**
 * Returns both values of a change in the history as text, with all digits if they would look the same.
 * @param {string} name @param {any} before @param {any} after
 */
function valueTexts(name, before, after) {
  const texts = [before, after].map((value) => valueText(name, value));
  if (texts[0] !== texts[1] || typeof before !== "number" || typeof after !== "number") return texts;
  return [before, after].map((value) => {
    const [text, zone] = name === "time" || name === "updated" ? timeInZone(value, -1) : [];
    if (text) return `${text}${new Date(value).toISOString().slice(19, 23)} ${zone}`;
    return ["depth", "horizontal_error", "depth_error"].includes(name) ? lengthText(value, 6) : numberText(value);
  });
}

/**
 * The reasons of changes that a single word does not explain.
 * @type {Record<string, string>}
 */
const reasonWords = { late: "new (received late)", split: "split from another quake" };
/** @param {string} reason */
const reasonText = (reason) => reasonWords[reason] ?? reason;

/** @param {string} tag @param {string} text */
function element(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
