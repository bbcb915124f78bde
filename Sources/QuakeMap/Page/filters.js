// @ts-check
// The filters, which decide which quakes are shown, and the histogram.

/**
 * Creates a slider with two thumbs.
 * @param {string} id @param {string} name @param {number} min @param {number} max @param {number} step
 * @param {(value: number) => string} text
 * @param {{ write: (value: number) => string, read: (text: string) => number }} inURL how a value is written in the URL
 */
function makeRange(id, name, min, max, step, text, inURL) {
  const box = byId(id);
  const between = box.appendChild(element("div", "", "between"));
  const inputs = ["from", "to"].map((end, k) => {
    const input = document.createElement("input");
    box.append(input);
    input.type = "range";
    input.min = String(min);
    input.max = String(max);
    input.step = String(step);
    input.value = String(k ? max : min);
    input.ariaLabel = `${name} ${end}`;
    input.addEventListener("input", () => {
      const [from, to] = inputs.map((one) => Number(one.value));
      if (from > to) input.value = String(k ? from : to);
      changed();
    });
    return input;
  });
  function show() {
    const [from, to] = range.values();
    inputs.forEach((input, k) => (input.ariaValueText = text(k ? to : from)));
    if (id !== "time") byId(`${id}-output`).textContent = `${text(from)} to ${text(to)}`;
    const span = max - min || 1;
    between.style.left = `${((from - min) / span) * 100}%`;
    between.style.right = `${((max - to) / span) * 100}%`;
  }
  function changed() {
    show();
    scheduleUpdate();
  }
  const range = {
    show,
    /** Returns the selected range in words: `≥ 4`, `≤ 30 km`, `4 to 5`. In the parameters, `*` stands for the value. */
    words(fromWords = "≥ *", toWords = "≤ *") {
      const [from, to] = range.values();
      return (to >= max ? fromWords : from <= min ? toWords : `* to ${text(to)}`)
        .replace("*", text(to < max && from <= min ? to : from));
    },
    values: () => /** @type {[number, number]} */ (inputs.map((input) => Number(input.value))),
    isWhole: () => Number(inputs[0].value) <= min && Number(inputs[1].value) >= max,
    /** @param {number} from @param {number} to */
    set(from, to) {
      inputs[0].value = String(from);
      inputs[1].value = String(to);
      changed();
    },
    reset: () => range.set(min, max),
  };
  // An end at its limit is left out of the URL, so that in a newer file it is at the new limit.
  urlParts.set(id, {
    get() {
      const [from, to] = range.values();
      if (range.isWhole()) return null;
      return `${from > min ? inURL.write(from) : ""}..${to < max ? inURL.write(to) : ""}`;
    },
    set(value) {
      const [from, to] = (value ?? "..").split("..").map((end) => (end ? inURL.read(end) : NaN));
      if (from > to) return range.set(min, max);
      const wanted = [from >= min ? Math.min(from, max) : min, to <= max ? Math.max(to, min) : max];
      if (range.values().some((end, k) => end !== wanted[k])) range.set(wanted[0], wanted[1]);
    },
  });
  show();
  return range;
}

/**
 * Returns the minimum and the maximum of some values; zeros without values.
 * @param {ArrayLike<number | null>} values @returns {[number, number]}
 */
function extent(values) {
  let min = Infinity;
  let max = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? [min, max] : [0, 0];
}

const binCount = 120;
const [firstTime, lastTime] = extent(time);
/** The length of a bin of the histogram in milliseconds: whole minutes. */
const binLength = Math.max(Math.ceil((lastTime - firstTime + 1) / binCount / 60e3), 1) * 60e3;
const binStart = Math.floor(firstTime / 60e3) * 60e3;
const bins = Math.floor((lastTime - binStart) / binLength) + 1;
/** @param {number} moment */
const binAt = (moment) => Math.min(Math.max(Math.floor((moment - binStart) / binLength), 0), bins - 1);
const binOf = Uint16Array.from(time, binAt);
const [minMagnitude, maxMagnitude] = extent(data.mag);
const [minDepth, maxDepth] = extent(data.depth);

const asNumber = { write: String, read: Number };
const timeRange = makeRange(
  "time", "Time", 0, bins, 1, (bin) => minuteText(binStart + bin * binLength), {
    write: (bin) => new Date(binStart + bin * binLength).toISOString().slice(0, 16) + "Z",
    read: (text) => Math.round((Date.parse(text) - binStart) / binLength),
  });
const magRange = makeRange(
  "mag", "Magnitude", Math.floor(minMagnitude * 10) / 10, Math.ceil(maxMagnitude * 10) / 10, 0.1,
  magnitudeText, asNumber);
const depthRange = makeRange(
  "depth", "Depth", Math.floor(minDepth), Math.ceil(maxDepth), 1, (value) => lengthText(value, 0), asNumber);
const placeInput = byId("place");
const typeChoice = byId("type");
{
  // The choice is hidden if all events have the same type, which is common.
  const types = [...new Set(data.type)].map((word) => data.words[word]).sort();
  for (const type of types) typeChoice.append(new Option(type));
  byId("type-choice").hidden = types.length < 2;
}
const inView = byId("in-view");
/**
 * The center of "Nearby quakes": where the quake was when the button was clicked; null for no such filter.
 * @type {{ lat: number, lon: number, name: string } | null}
 */
let neighborhood = null;
const neighborRadius = 100;
/** The region to which the list is limited, chosen below the search box; empty for none. */
let chosenRegion = "";
const regionsBySpelling = new Map(Object.entries(data.regions));

/**
 * Returns the regions of a quake's place: one, two on both sides of a border, or none. Same rule as in Region.swift.
 * @param {number} i
 */
function regionsOf(i) {
  const place = data.place[i] ?? "";
  const part = place.slice(place.lastIndexOf(",") + 1).split(" ").filter(Boolean).join(" ");
  const names = (regionsBySpelling.get(part) ?? part).split(", ").filter(Boolean);
  return names.map((name) => (name === "Georgia" && longitude[i] >= 0 ? "Georgia (country)" : name));
}

/**
 * Returns the regions whose names contain a text, with the numbers of quakes that choosing them would show, largest
 * first.
 * @param {string} text @param {number} limit
 */
function regionsNamed(text, limit) {
  const wanted = folded(text);
  if (wanted.length < 2) return [];
  /** @type {Map<string, number>} */
  const counts = new Map();
  const others = filters.filter(({ name }) => name !== "place" && name !== "region");
  for (let i = 0; i < count; i++) {
    if (!isPresent[i] || !others.every((filter) => filter.accepts(i))) continue;
    for (const name of regionsOf(i)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts].filter(([name]) => folded(name).includes(wanted));
  return named.sort((a, b) => b[1] - a[1]).slice(0, limit);
}

/**
 * The searchable text of each quake, in lowercase and without accents: type, place, regions and ids. Null until needed.
 * @type {(string | null)[]}
 */
const foldedTexts = Array(count).fill(null);

/** @param {number} i */
function searchText(i) {
  const known = foldedTexts[i];
  if (known !== null) return known;
  const text = folded([placeOf(i), ...regionsOf(i), data.id[i], data.rare.ids[i] ?? ""].join(" "));
  foldedTexts[i] = text;
  return text;
}

placeInput.addEventListener("input", scheduleUpdate);
inView.addEventListener("change", scheduleUpdate);
typeChoice.addEventListener("change", scheduleUpdate);
/**
 * Writes the value of a filter to the URL, and reads it. The empty text stands for no filter.
 * @param {string} name @param {() => string} get @param {(text: string) => void} set
 */
function keepFilter(name, get, set) {
  urlParts.set(name, {
    get: () => get() || null,
    set(text) {
      if (get() === (text ?? "")) return;
      set(text ?? "");
      scheduleUpdate();
    },
  });
}
keepFilter("type", () => typeChoice.value, (text) => {
  typeChoice.value = text;
  if (typeChoice.selectedIndex < 0) typeChoice.value = "";
});
keepFilter("place", () => placeInput.value.trim(), (text) => (placeInput.value = text));
keepFilter("region", () => chosenRegion, (text) => (chosenRegion = text));
keepFilter("in-view", () => (inView.checked ? "1" : ""), (text) => (inView.checked = text === "1"));
const centerText = () => (neighborhood ? [neighborhood.lat, neighborhood.lon, neighborhood.name].join(",") : "");
keepFilter("around", centerText, (text) => {
  const [lat, lon, ...name] = text.split(",");
  const isPlace = text && Math.abs(Number(lat)) <= 90 && Math.abs(Number(lon)) <= 360;
  neighborhood = isPlace ? { lat: Number(lat), lon: Number(lon), name: name.join(",") } : null;
});
byId("reset").addEventListener("click", () => resetFilters());
const steps = [...byId("steps").querySelectorAll("button")];
for (const button of steps) {
  const min = Number(button.value);
  // A button that hides no quake or every quake would be useless.
  button.hidden = button.value !== "" && (min <= minMagnitude || min > maxMagnitude);
  button.addEventListener("click", () =>
    button.value === "" ? magRange.reset() : magRange.set(min, magRange.values()[1] < min ? maxMagnitude : magRange.values()[1]));
}
/**
 * Lists the quakes within 100 km of a place; null for all quakes.
 * @param {{ lat: number, lon: number, name: string } | null} place
 */
function showNeighbors(place) {
  neighborhood = place;
  scheduleUpdate();
}

function resetFilters() {
  activeFilters().forEach(clearFilter);
}

/** @param {{ name: string }} filter */
function clearFilter({ name }) {
  urlParts.get(name)?.set(null);
}

/**
 * Returns the active filters, each with its name in the URL, a description, and a test for quakes. A quake without
 * a value never satisfies a condition on that value.
 */
function activeFilters() {
  /** @type {{ name: string, words: string, accepts: (i: number) => boolean }[]} */
  const active = [];
  /** @param {string} name @param {string} words @param {(i: number) => boolean} accepts */
  const add = (name, words, accepts) => active.push({ name, words, accepts });
  const ranges = /** @type {const} */ ([["mag", magRange, data.mag], ["depth", depthRange, data.depth]]);
  for (const [name, range, values] of ranges) {
    if (range.isWhole()) continue;
    const [from, to] = range.values();
    const words = name === "mag" ? `M ${range.words("* and larger", "* and smaller")}` : `depth ${range.words()}`;
    add(name, words, (i) => {
      const value = values[i];
      return value !== null && value >= from && value <= to;
    });
  }
  const typed = placeInput.value.trim();
  const wanted = folded(typed);
  if (wanted) add("place", `“${typed}”`, (i) => searchText(i).includes(wanted));
  const type = typeChoice.value;
  if (type) add("type", `type ${type}`, (i) => data.words[data.type[i]] === type);
  const region = folded(chosenRegion);
  if (region) add("region", chosenRegion, (i) => regionsOf(i).some((name) => folded(name) === region));
  if (neighborhood) {
    const { lat, lon, name } = neighborhood;
    add("around", `within ${lengthText(neighborRadius, 0)} of ${name}`,
      (i) => distanceBetween(lat, lon, latitude[i], longitude[i]) <= neighborRadius);
  }
  if (inView.checked) add("in-view", "only quakes in view", map.viewTest());
  if (!timeRange.isWhole()) {
    const [from, to] = timeRange.values();
    add("time", `time ${timeRange.words("from *", "before *")}`,
      (i) => binOf[i] >= from && binOf[i] < to);
  }
  return active;
}

let filters = activeFilters();
/**
 * Returns whether a quake is on the map and passes all filters.
 * @param {number} i
 */
const passes = (i) => isPresent[i] === 1 && filters.every((filter) => filter.accepts(i));

let updateIsDue = false;
function scheduleUpdate() {
  if (updateIsDue) return;
  updateIsDue = true;
  requestAnimationFrame(() => {
    updateIsDue = false;
    pointing.hideAll();
    update();
    map.draw();
  });
}

/** The number of quakes in each bin, and the number of those that pass all filters except the time filter. */
const binTotals = new Uint32Array(bins);
const binCounts = new Uint32Array(bins);

/** Decides which quakes are shown, and updates the list and histogram. */
function update() {
  filters = activeFilters();
  const others = filters.filter(({ name }) => name !== "time");
  const [fromBin, toBin] = timeRange.values();
  const isAllTime = timeRange.isWhole();
  const result = new Uint32Array(count);
  let length = 0;
  binTotals.fill(0);
  binCounts.fill(0);
  for (const i of order) {
    isShown[i] = 0;
    if (!isPresent[i]) continue;
    const bin = binOf[i];
    binTotals[bin]++;
    if (others.length && !others.every((filter) => filter.accepts(i))) continue;
    binCounts[bin]++;
    if (!isAllTime && (bin < fromBin || bin >= toBin)) continue;
    isShown[i] = 1;
    result[length++] = i;
  }
  shown = result.subarray(0, length);
  // The list and the histogram measure the page, so they come before changes to its layout.
  list.refresh();
  drawHistogram();
  showSpan();
  showFilterWords();
  showWhatHides();
  scheduleURLUpdate();
}

const [originalHeading, originalTitle] = [byId("title").textContent, document.title];

/** Returns the active filters as the end of the title; empty without filters. */
function filterWords() {
  const words = activeFilters().map((filter) => filter.words).join(", ");
  return words && ` (filtered: ${words})`;
}

/** Shows the number of quakes, and the active filters in the title of the window. */
function showCount() {
  const present = isPresent.reduce((sum, one) => sum + one, 0);
  const words = `${grouped(present)} ${present === 1 ? "quake" : "quakes"}`;
  byId("count").textContent = shown.length === present ? words : `${grouped(shown.length)} of ${words}`;
  const filtered = filterWords();
  byId("title").textContent = filtered ? originalHeading.replace(/^All quakes/, "Quakes") : originalHeading;
  document.title = (filtered ? originalTitle.replace(/^All quakes/, "Quakes") : originalTitle) + filtered;
}

const dates = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

/** Shows the dates of the shown quakes and the active filters in the heading: `July 15–22, 2021 (filtered: M 4+)`. */
function showSpan() {
  let [first, last] = [Infinity, -Infinity];
  for (const i of shown) {
    if (time[i] < first) first = time[i];
    if (time[i] > last) last = time[i];
  }
  const offsetAt = offsetFinder();
  // The month or year that both dates have in common appears only once.
  const days = shown.length ? ` · ${dates.formatRange(first + offsetAt(first), last + offsetAt(last))
    .replace(/\s/g, " ").replace(" – ", "–")}` : "";
  byId("span").textContent = days + filterWords();
}

/** Shows each active filter, with a way to clear it. */
function showFilterWords() {
  showCount();
  const active = activeFilters();
  byId("chips").replaceChildren(...active.map((filter) => {
    const chip = makeButton(`${filter.words} ×`, () => clearFilter(filter));
    chip.ariaLabel = `Clear: ${filter.words}`;
    return chip;
  }));
  for (const button of steps) {
    const isPressed = button.value === "" ? magRange.isWhole() : magRange.values()[0] === Number(button.value);
    button.ariaPressed = String(isPressed);
  }
}

const emptyListText = byId("nothing").textContent;

/**
 * Returns the index of the largest quake that passes some filters; -1 for none.
 * @param {typeof filters} some
 */
function largestOf(some) {
  let largest = -1;
  for (let i = 0; i < count; i++) {
    if (!isPresent[i] || !some.every((filter) => filter.accepts(i))) continue;
    if (largest < 0 || (data.mag[i] ?? -9) > (data.mag[largest] ?? -9)) largest = i;
  }
  return largest;
}

/**
 * If no quake is shown, names the filter that hides them all and the largest quake without it, and offers to clear it.
 */
function showWhatHides() {
  const box = byId("nothing");
  box.hidden = shown.length > 0;
  if (shown.length > 0) return;
  const any = largestOf([]);
  if (any < 0) return box.replaceChildren(replay.isOn() ? "No quakes were known at that time." : emptyListText);
  const without = (/** @type {{ name: string }} */ one) => largestOf(filters.filter((other) => other !== one));
  const hiding = filters.filter((one) => without(one) >= 0);
  const [first] = hiding;
  const quoted = first?.words.startsWith("“") ? first.words : `“${first?.words}”`;
  const noMatch = filters.length > 1 ? "No quakes match all filters." : "No quakes match.";
  const buttons = (first ? hiding : filters).map((one) => makeButton(`Clear: ${one.words}`, () => clearFilter(one)));
  if (!first) buttons.unshift(makeButton("Clear all filters", resetFilters));
  box.replaceChildren(element("span", first
    ? `${noMatch} Without ${quoted}, the largest is ${headline(without(first))}.`
    : `${noMatch} The largest on this map is ${headline(any)}.`), ...buttons);
}

const histogram = byId("histogram");

/**
 * Returns round moments of the time axis in the chosen zone, at most `max`: hours, midnights, or starts of months.
 * @param {number} max
 */
function timeTicks(max) {
  const offsetAt = offsetFinder();
  const end = binStart + bins * binLength;
  const minStep = (end - binStart) / max;
  const step = [1, 5, 15, 60, 180, 360, 720, 1440, 2880, 10080].find((one) => one * 60e3 >= minStep);
  const stride = [1, 3, 6, 12, 24, 60, 120, 240].find((one) => one * 2592e6 >= minStep) ?? 600;
  const size = step ? step * 60e3 : stride * 2629746e3;
  // Weeks start on Monday, and 1970 started on a Thursday.
  const base = step ? 345600e3 : Date.UTC(2000, 0);
  const first = Math.floor((binStart + offsetAt(binStart) - base) / size) - 1;
  const ticks = [];
  for (let k = first; ; k++) {
    const wall = step ? base + k * size : Date.UTC(2000, k * stride);
    const at = wall - offsetAt(wall - offsetAt(wall));
    if (at > end) return ticks;
    const [month, day, year] = dates.format(wall).split(" ");
    const name = month.slice(0, 3);
    const date = step ? `${name} ${parseInt(day)}` : name === "Jan" ? year : name;
    if (at >= binStart) ticks.push({ at, text: wall % 86400e3 ? utcText(wall).slice(-8, -3) : date });
  }
}

function drawHistogram() {
  const ratio = window.devicePixelRatio || 1;
  const { width, height: tall } = histogram.getBoundingClientRect();
  if (width === 0) return;
  histogram.width = Math.round(width * ratio);
  histogram.height = Math.round(tall * ratio);
  const context = histogram.getContext("2d");
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  const [from, to] = timeRange.values();
  const highest = Math.max(...binTotals, 1);
  const wide = width / bins;
  const floor = tall - 13;
  for (let bin = 0; bin < bins; bin++) {
    // The square root keeps a quiet day visible beside a swarm.
    const high = (/** @type {number} */ number) => Math.sqrt(number / highest) * (floor - 2);
    context.fillStyle = style.getPropertyValue("--line");
    context.fillRect(bin * wide, floor - high(binTotals[bin]), Math.max(wide - 1, 0.5), high(binTotals[bin]));
    if (bin < from || bin >= to) continue;
    context.fillStyle = style.getPropertyValue("--accent");
    context.fillRect(bin * wide, floor - high(binCounts[bin]), Math.max(wide - 1, 0.5), high(binCounts[bin]));
  }
  if (!count) return;
  context.fillStyle = style.getPropertyValue("--quiet");
  context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  context.textAlign = "center";
  const span = bins * binLength;
  let free = 0;
  for (const { at, text } of timeTicks(Math.max(width / 62, 2))) {
    const x = ((at - binStart) / span) * width;
    context.fillRect(x - 0.5, floor, 1, 3);
    const half = context.measureText(text).width / 2;
    if (x - half < free || x + half > width) continue;
    context.fillText(text, x, tall - 1);
    free = x + half + 6;
  }
  const moment = replay.momentOfOrigin();
  if (moment !== null) {
    context.fillStyle = style.getPropertyValue("--mark");
    context.fillRect(((moment - binStart) / span) * width - 1, 0, 2, floor);
  }
}

/** Dragging across the histogram selects a time range; a click clears the selection. */
{
  let start = -1;
  const place = (/** @type {PointerEvent} */ event) => {
    const { left, width } = histogram.getBoundingClientRect();
    return Math.min(Math.max(((event.clientX - left) / width) * bins, 0), bins);
  };
  histogram.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    start = place(event);
    histogram.setPointerCapture(event.pointerId);
  });
  histogram.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (start < 0) return;
    const end = place(event);
    if (Math.abs(end - start) >= 0.5) {
      timeRange.set(Math.floor(Math.min(start, end)), Math.ceil(Math.max(start, end)));
    }
  });
  histogram.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
    if (Math.abs(place(event) - start) < 0.5) timeRange.reset();
    start = -1;
  });
  histogram.addEventListener("pointercancel", () => (start = -1));
}
