// @ts-check
// The filters, including the histogram. They decide which quakes are shown.

/**
 * Creates a slider with two thumbs.
 * @param {string} id @param {string} name @param {number} least @param {number} most @param {number} step
 * @param {(value: number) => string} text
 * @param {{ write: (value: number) => string, read: (text: string) => number }} inAddress the format in the address
 */
function makeRange(id, name, least, most, step, text, inAddress) {
  const box = byId(id);
  const between = box.appendChild(element("div", "", "between"));
  const inputs = ["from", "to"].map((end, k) => {
    const input = document.createElement("input");
    box.append(input);
    input.type = "range";
    input.min = String(least);
    input.max = String(most);
    input.step = String(step);
    input.value = String(k ? most : least);
    input.setAttribute("aria-label", `${name} ${end}`);
    input.addEventListener("input", () => {
      const [from, to] = inputs.map((one) => Number(one.value));
      if (from > to) input.value = String(k ? from : to);
      changed();
    });
    return input;
  });
  function show() {
    const [from, to] = range.values();
    inputs.forEach((input, k) => input.setAttribute("aria-valuetext", text(k ? to : from)));
    if (id !== "time") byId(`${id}-output`).textContent = `${text(from)} to ${text(to)}`;
    const span = most - least || 1;
    between.style.left = `${((from - least) / span) * 100}%`;
    between.style.right = `${((most - to) / span) * 100}%`;
  }
  function changed() {
    show();
    scheduleUpdate();
  }
  const range = {
    name, show,
    /** The selected range: `≥ 4`, `≤ 30 km`, `4 to 5`. */
    words() {
      const [from, to] = range.values();
      return to >= most ? `≥ ${text(from)}` : from <= least ? `≤ ${text(to)}` : `${text(from)} to ${text(to)}`;
    },
    values: () => /** @type {[number, number]} */ (inputs.map((input) => Number(input.value))),
    isWhole: () => Number(inputs[0].value) <= least && Number(inputs[1].value) >= most,
    /** @param {number} from @param {number} to */
    set(from, to) {
      inputs[0].value = String(from);
      inputs[1].value = String(to);
      changed();
    },
    reset: () => range.set(least, most),
  };
  // An end at its limit is left out, so that it moves to the new limit in a newer file.
  addressParts.set(id, {
    get() {
      const [from, to] = range.values();
      if (range.isWhole()) return null;
      return `${from > least ? inAddress.write(from) : ""}..${to < most ? inAddress.write(to) : ""}`;
    },
    set(value) {
      const [from, to] = (value ?? "..").split("..").map((end) => (end ? inAddress.read(end) : NaN));
      if (from > to) return range.set(least, most);
      const wanted = [from >= least ? Math.min(from, most) : least, to <= most ? Math.max(to, least) : most];
      if (range.values().some((end, k) => end !== wanted[k])) range.set(wanted[0], wanted[1]);
    },
  });
  show();
  return range;
}

/** @param {ArrayLike<number | null>} values @returns {[number, number]} */
function extent(values) {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return least <= most ? [least, most] : [0, 0];
}

const binCount = 120;
const [firstTime, lastTime] = extent(time);
/** The length of a bin in milliseconds, in whole minutes. */
const binLength = Math.max(Math.ceil((lastTime - firstTime + 1) / binCount / 60e3), 1) * 60e3;
const binStart = Math.floor(firstTime / 60e3) * 60e3;
const bins = Math.floor((lastTime - binStart) / binLength) + 1;
/** @param {number} moment */
const binAt = (moment) => Math.min(Math.max(Math.floor((moment - binStart) / binLength), 0), bins - 1);
const binOf = Uint16Array.from(time, binAt);
const [leastMagnitude, mostMagnitude] = extent(data.mag);
const [leastDepth, mostDepth] = extent(data.depth);

const asNumber = { write: String, read: Number };
const timeRange = makeRange(
  "time", "Time", 0, bins, 1, (bin) => minutes(binStart + bin * binLength), {
    write: (bin) => new Date(binStart + bin * binLength).toISOString().slice(0, 16) + "Z",
    read: (text) => Math.round((Date.parse(text) - binStart) / binLength),
  });
const magRange = makeRange(
  "mag", "Magnitude", Math.floor(leastMagnitude * 10) / 10, Math.ceil(mostMagnitude * 10) / 10, 0.1,
  magnitudeText, asNumber);
const depthRange = makeRange(
  "depth", "Depth", Math.floor(leastDepth), Math.ceil(mostDepth), 1, (value) => lengthText(value, 0), asNumber);
const placeInput = byId("place");
const typeChoice = byId("type");
{
  // The choice is hidden if it has only one option, because most sets contain only earthquakes.
  const types = [...new Set(data.type)].map((word) => data.words[word]).sort();
  for (const type of types) typeChoice.append(new Option(type));
  byId("type-choice").hidden = types.length < 2;
}
const inView = byId("in-view");
/**
 * The center of "Nearby quakes": the place of a quake at the time of the click; null if all quakes are listed.
 * @type {{ lat: number, lon: number, name: string } | null}
 */
let neighborhood = null;
const neighborRadius = 100;
/** The region to which the quakes are limited, chosen below the search box. */
let chosenRegion = "";
const regionsBySpelling = new Map(Object.entries(data.regions));

/**
 * Returns the regions of a quake's place: one, both sides of a border, or none. Same rule as in Region.swift.
 * @param {number} i
 */
function regionsOf(i) {
  const place = data.place[i] ?? "";
  const part = place.slice(place.lastIndexOf(",") + 1).split(" ").filter(Boolean).join(" ");
  const names = (regionsBySpelling.get(part) ?? part).split(", ").filter(Boolean);
  return names.map((name) => (name === "Georgia" && longitude[i] >= 0 ? "Georgia (country)" : name));
}

/**
 * Returns the regions whose names contain a text, with their numbers of quakes, largest first.
 * @param {string} text @param {number} limit
 */
function regionsNamed(text, limit) {
  const wanted = folded(text);
  if (wanted.length < 2) return [];
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let i = 0; i < count; i++) {
    if (!isPresent[i]) continue;
    for (const name of regionsOf(i)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts].filter(([name]) => folded(name).includes(wanted));
  return named.sort((a, b) => b[1] - a[1]).slice(0, limit);
}

/** @param {string} name empty for all */
function showRegion(name) {
  chosenRegion = name;
  scheduleUpdate();
}

/**
 * The searchable text of each quake, folded when first needed: type, place, regions and ids.
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
addressParts.set("type", {
  get: () => typeChoice.value || null,
  set(text) {
    const isKnown = [...typeChoice.options].some((option) => option.value === text);
    const wanted = isKnown ? text : "";
    if (typeChoice.value === wanted) return;
    typeChoice.value = wanted;
    scheduleUpdate();
  },
});
byId("reset").addEventListener("click", () => resetFilters());
const steps = [...byId("steps").querySelectorAll("button")];
for (const button of steps) {
  const least = Number(button.value);
  // A button that would hide no quake or every quake is useless.
  button.hidden = button.value !== "" && (least <= leastMagnitude || least > mostMagnitude);
  button.addEventListener("click", () =>
    button.value === "" ? magRange.reset() : magRange.set(least, magRange.values()[1] < least ? mostMagnitude : magRange.values()[1]));
}
addressParts.set("place", {
  get: () => placeInput.value.trim() || null,
  set(text) {
    if (placeInput.value.trim() === (text ?? "")) return;
    placeInput.value = text ?? "";
    scheduleUpdate();
  },
});
addressParts.set("region", {
  get: () => chosenRegion || null,
  set(text) {
    if (chosenRegion !== (text ?? "")) showRegion(text ?? "");
  },
});
addressParts.set("in-view", {
  get: () => (inView.checked ? "1" : null),
  set(text) {
    if (inView.checked === (text === "1")) return;
    inView.checked = text === "1";
    scheduleUpdate();
  },
});
addressParts.set("around", {
  get: () => neighborhood && [neighborhood.lat, neighborhood.lon, neighborhood.name].join(","),
  set(text) {
    const [lat, lon, ...name] = (text ?? "").split(",");
    const isPlace = text !== null && Math.abs(Number(lat)) <= 90 && Math.abs(Number(lon)) <= 360;
    const before = addressParts.get("around")?.get() ?? null;
    if (before === text) return;
    showNeighbors(isPlace ? { lat: Number(lat), lon: Number(lon), name: name.join(",") } : null);
  },
});

/**
 * Lists the quakes within 100 km of a place; null for all quakes.
 * @param {{ lat: number, lon: number, name: string } | null} place
 */
function showNeighbors(place) {
  neighborhood = place;
  scheduleUpdate();
}

function resetFilters() {
  for (const filter of activeFilters()) filter.clear();
}

/**
 * Returns the active filters, each with a description, a test for quakes, and a way to clear it. A quake without a
 * value never satisfies a condition on that value.
 */
function activeFilters() {
  /** @type {{ words: string, clear: () => void, accepts: (i: number) => boolean, isTime?: boolean }[]} */
  const active = [];
  for (const [range, values] of /** @type {const} */ ([[magRange, data.mag], [depthRange, data.depth]])) {
    if (range.isWhole()) continue;
    const [from, to] = range.values();
    active.push({
      words: `${range === magRange ? "M" : range.name} ${range.words()}`,
      clear: range.reset,
      accepts(i) {
        const value = values[i];
        return value !== null && value >= from && value <= to;
      },
    });
  }
  const wanted = folded(placeInput.value.trim());
  if (wanted) {
    active.push({
      words: `“${placeInput.value.trim()}”`,
      clear() {
        placeInput.value = "";
        scheduleUpdate();
      },
      accepts: (i) => searchText(i).includes(wanted),
    });
  }
  if (typeChoice.value) {
    const type = typeChoice.value;
    active.push({
      words: `type ${type}`,
      clear() {
        typeChoice.value = "";
        scheduleUpdate();
      },
      accepts: (i) => data.words[data.type[i]] === type,
    });
  }
  if (chosenRegion) {
    const region = folded(chosenRegion);
    active.push({
      words: `in ${chosenRegion}`,
      clear: () => showRegion(""),
      accepts: (i) => regionsOf(i).some((name) => folded(name) === region),
    });
  }
  if (neighborhood) {
    const { lat, lon, name } = neighborhood;
    active.push({
      words: `within ${lengthText(neighborRadius, 0)} of ${name}`,
      clear: () => showNeighbors(null),
      accepts: (i) => distanceBetween(lat, lon, latitude[i], longitude[i]) <= neighborRadius,
    });
  }
  if (inView.checked) {
    active.push({
      words: "only quakes in view",
      clear() {
        inView.checked = false;
        scheduleUpdate();
      },
      accepts: map.viewTest(),
    });
  }
  if (!timeRange.isWhole()) {
    const [from, to] = timeRange.values();
    active.push({
      words: `Time ${timeRange.words().replace("≥", "from").replace("≤", "before")}`, clear: timeRange.reset, isTime: true,
      accepts: (i) => binOf[i] >= from && binOf[i] < to,
    });
  }
  return active;
}

let filters = activeFilters();
/**
 * Returns whether a quake is in the picture and passes all filters.
 * @param {number} i
 */
const passes = (i) => isPresent[i] === 1 && filters.every((filter) => filter.accepts(i));

let updateIsDue = false;
function scheduleUpdate() {
  if (updateIsDue) return;
  updateIsDue = true;
  requestAnimationFrame(() => {
    updateIsDue = false;
    pointing.forget();
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
  const others = filters.filter((filter) => !filter.isTime);
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
  showCount();
  showSpan();
  showFilterWords();
  showWhatHides();
  list.refresh();
  drawHistogram();
  noteAddress();
}

function showCount() {
  let present = 0;
  for (const one of isPresent) present += one;
  const words = `${grouped(present)} ${present === 1 ? "quake" : "quakes"}`;
  byId("count").textContent = shown.length === present ? words : `${grouped(shown.length)} of ${words}`;
}

/** Shows the dates of the shown quakes in the title: `July 15–22, 2021`. */
function showSpan() {
  if (!shown.length) return void (byId("span").textContent = "");
  let [first, last] = [Infinity, -Infinity];
  for (const i of shown) {
    if (time[i] < first) first = time[i];
    if (time[i] > last) last = time[i];
  }
  const [from, to] = [first, last].map((moment) => {
    const [year, month, date] = timeInZone(moment, -1)[0].slice(0, -9).split(/(?<=\d)-/);
    return { year, month: months[Number(month) - 1], date: Number(date) };
  });
  // The parts that both ends share appear only once.
  const end = to.month !== from.month || to.year !== from.year ? ` – ${to.month} ${to.date}` : to.date !== from.date ? `–${to.date}` : "";
  const year = to.year === from.year ? "" : `, ${from.year}`;
  byId("span").textContent = ` · ${from.month} ${from.date}${year}${end}, ${to.year}`;
}

/** Shows each active filter, with a way to clear it. */
function showFilterWords() {
  const active = activeFilters();
  byId("chips").replaceChildren(...active.map((filter) => {
    const chip = buttonOf(`${filter.words} ×`, filter.clear);
    chip.setAttribute("aria-label", `Clear: ${filter.words}`);
    return chip;
  }));
  for (const button of steps) {
    const isPressed = button.value === "" ? magRange.isWhole() : magRange.values()[0] === Number(button.value);
    button.setAttribute("aria-pressed", String(isPressed));
  }
}

/** If no quake is shown, names the filters responsible and offers to clear them. */
function showWhatHides() {
  const box = byId("nothing");
  box.hidden = shown.length > 0;
  if (shown.length > 0) return;
  if (!filters.length) return box.replaceChildren(replay.isOn() ? "No quakes were known then." : "No quakes match.");
  const guilty = filters.filter((left) => {
    const others = filters.filter((filter) => filter !== left);
    return order.some((i) => isPresent[i] === 1 && others.every((filter) => filter.accepts(i)));
  });
  const named = guilty.length ? guilty : filters;
  const buttons = named.map((filter) => buttonOf(`Clear: ${filter.words}`, filter.clear));
  const sentence = element("span", named.length > 1 && !guilty.length ? "These filters together hide every quake." : "No quakes match.");
  if (!guilty.length) buttons.unshift(buttonOf("Clear all filters", resetFilters));
  box.replaceChildren(sentence, ...buttons);
}

const histogram = byId("histogram");

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
  // Dates are at both ends and, if there is room, in between.
  context.fillStyle = style.getPropertyValue("--quiet");
  context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
  const span = bins * binLength;
  const pieces = Math.max(Math.min(Math.floor(width / 110), 6), 1);
  for (let k = 0; k <= pieces; k++) {
    const text = minutes(binStart + (span * k) / pieces).slice(span > 4 * 86400e3 ? 0 : 5, span > 4 * 86400e3 ? 10 : 16);
    context.textAlign = k === 0 ? "left" : k === pieces ? "right" : "center";
    context.fillText(text, (width * k) / pieces, tall - 2);
  }
  const moment = replay.momentOfOrigin();
  if (moment !== null) {
    context.fillStyle = style.getPropertyValue("--mark");
    context.fillRect(((moment - binStart) / span) * width - 1, 0, 2, floor);
  }
}

/** Dragging across the histogram selects a time span; a click clears it. */
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
