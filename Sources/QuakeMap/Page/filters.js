// @ts-check
// The filters, and the histogram that is one of them. They decide which quakes are shown.

/**
 * Two sliders in one place.
 * @param {string} id @param {string} name @param {number} least @param {number} most @param {number} step
 * @param {(value: number) => string} text
 */
function makeRange(id, name, least, most, step, text) {
  const box = byId(id);
  const output = byId(id + "-output");
  const between = box.appendChild(document.createElement("div"));
  between.className = "between";
  const inputs = ["from", "to"].map((end, k) => {
    const input = box.appendChild(document.createElement("input"));
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
    output.textContent = range.isWhole() ? "any" : `${text(from)} to ${text(to)}`;
    const span = most - least || 1;
    between.style.left = `${((from - least) / span) * 100}%`;
    between.style.right = `${((most - to) / span) * 100}%`;
  }
  function changed() {
    show();
    scheduleUpdate();
  }
  const range = {
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
/** The length of a bin in whole minutes. */
const binLength = Math.max(Math.ceil((lastTime - firstTime + 1) / binCount / 60e3), 1) * 60e3;
const binStart = Math.floor(firstTime / 60e3) * 60e3;
const bins = Math.floor((lastTime - binStart) / binLength) + 1;
const binOf = Uint16Array.from(time, (moment) => Math.floor((moment - binStart) / binLength));
const [leastMagnitude, mostMagnitude] = extent(data.mag);
const [leastDepth, mostDepth] = extent(data.depth);

const timeRange = makeRange("time", "Time", 0, bins, 1, (bin) => utc(binStart + bin * binLength).slice(0, 16));
const magRange = makeRange(
  "mag", "Magnitude", Math.floor(leastMagnitude * 10) / 10, Math.ceil(mostMagnitude * 10) / 10, 0.1,
  (value) => value.toFixed(1));
const depthRange = makeRange(
  "depth", "Depth", Math.floor(leastDepth), Math.ceil(mostDepth), 1, (value) => `${value} km`);
const placeInput = byId("place");
const inView = byId("in-view");
/** @type {string[] | null} folded when first needed */
let foldedPlaces = null;

placeInput.addEventListener("input", scheduleUpdate);
inView.addEventListener("change", scheduleUpdate);
byId("reset").addEventListener("click", () => {
  placeInput.value = "";
  inView.checked = false;
  for (const range of [timeRange, magRange, depthRange]) range.reset();
});

let updateIsDue = false;
function scheduleUpdate() {
  if (updateIsDue) return;
  updateIsDue = true;
  requestAnimationFrame(() => {
    updateIsDue = false;
    update();
    map.draw();
  });
}

/** How many quakes there are in each bin, and how many of them pass all filters but that of time. */
const binTotals = new Uint32Array(bins);
const binCounts = new Uint32Array(bins);
for (const bin of binOf) binTotals[bin]++;

/** Decides which quakes are shown, and shows them in list and histogram. */
function update() {
  const [fromBin, toBin] = timeRange.values();
  const [fromMag, toMag] = magRange.isWhole() ? [-Infinity, Infinity] : magRange.values();
  const [fromDepth, toDepth] = depthRange.isWhole() ? [-Infinity, Infinity] : depthRange.values();
  const wantsMag = !magRange.isWhole();
  const wantsDepth = !depthRange.isWhole();
  const wanted = folded(placeInput.value.trim());
  if (wanted && !foldedPlaces) foldedPlaces = data.place.map((place) => folded(place ?? ""));
  const isInView = inView.checked ? map.viewTest() : () => true;
  const result = new Uint32Array(count);
  let length = 0;
  binCounts.fill(0);
  for (const i of order) {
    isShown[i] = 0;
    const mag = data.mag[i];
    const depth = data.depth[i];
    // A quake whose value is missing never satisfies a condition on that value.
    if (wantsMag && (mag === null || mag < fromMag || mag > toMag)) continue;
    if (wantsDepth && (depth === null || depth < fromDepth || depth > toDepth)) continue;
    if (wanted && foldedPlaces && !foldedPlaces[i].includes(wanted)) continue;
    if (!isInView(i)) continue;
    binCounts[binOf[i]]++;
    if (binOf[i] < fromBin || binOf[i] >= toBin) continue;
    isShown[i] = 1;
    result[length++] = i;
  }
  shown = result.subarray(0, length);
  byId("count").textContent =
    length === count ? `${grouped(count)} ${count === 1 ? "quake" : "quakes"}`
      : `${grouped(length)} of ${grouped(count)} quakes`;
  byId("nothing").hidden = length > 0;
  list.show();
  drawHistogram();
}

const histogram = byId("histogram");

function drawHistogram() {
  const ratio = window.devicePixelRatio || 1;
  const { width, height } = histogram.getBoundingClientRect();
  if (width === 0) return;
  histogram.width = Math.round(width * ratio);
  histogram.height = Math.round(height * ratio);
  const context = histogram.getContext("2d");
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  const [from, to] = timeRange.values();
  const highest = Math.max(...binTotals, 1);
  const wide = width / bins;
  for (let bin = 0; bin < bins; bin++) {
    // By the square root, so that a quiet day beside a swarm can still be seen.
    const tall = (/** @type {number} */ number) => Math.sqrt(number / highest) * (height - 2);
    context.fillStyle = style.getPropertyValue("--line");
    context.fillRect(bin * wide, height - tall(binTotals[bin]), Math.max(wide - 1, 0.5), tall(binTotals[bin]));
    if (bin < from || bin >= to) continue;
    context.fillStyle = style.getPropertyValue("--accent");
    context.fillRect(bin * wide, height - tall(binCounts[bin]), Math.max(wide - 1, 0.5), tall(binCounts[bin]));
  }
}

/** Dragging over the histogram chooses a span of time, a click without dragging all of it. */
{
  let start = -1;
  const binAt = (/** @type {PointerEvent} */ event) => {
    const { left, width } = histogram.getBoundingClientRect();
    return Math.min(Math.max(((event.clientX - left) / width) * bins, 0), bins);
  };
  histogram.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    start = binAt(event);
    histogram.setPointerCapture(event.pointerId);
  });
  histogram.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (start < 0) return;
    const end = binAt(event);
    if (Math.abs(end - start) >= 0.5) {
      timeRange.set(Math.floor(Math.min(start, end)), Math.ceil(Math.max(start, end)));
    }
  });
  histogram.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
    if (Math.abs(binAt(event) - start) < 0.5) timeRange.reset();
    start = -1;
  });
  histogram.addEventListener("pointercancel", () => (start = -1));
}
