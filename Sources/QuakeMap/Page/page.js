// @ts-check
// The script of the page: a list and a map of the same quakes, with one of them selected in both.
//
// Data flows one way: a filter, a column or the map's position changes → `update()` decides which quakes are shown →
// list, histogram and map draw them. A selection goes through `select()`, wherever it is made.
"use strict";
(() => {
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

  // ---------------------------------------------------------------------------------------------- quakes

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

  /** Mercator up to 60°, equal steps beyond; MapProjection.swift has the same. @param {number} degrees */
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

  /** @param {number} i */
  const placeOf = (i) => data.place[i] ?? "place not given";
  /** @param {number} i */
  const headline = (i) => `M ${magnitudeText(data.mag[i])} – ${placeOf(i)}`;
  /** @param {number} moment */
  const utc = (moment) => new Date(moment).toISOString().slice(0, 19).replace("T", " ");
  const grouped = new Intl.NumberFormat("en").format;

  /** @param {string} text */
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // ---------------------------------------------------------------------------------------------- state

  /** The order of the list, then what of it is shown. */
  let order = Uint32Array.from(time.keys());
  let shown = order;
  const isShown = new Uint8Array(count).fill(1);
  /** The number of the selected quake, or -1. */
  let selected = -1;

  // ---------------------------------------------------------------------------------------------- filters

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

  // ---------------------------------------------------------------------------------------------- list

  /** The table. Only the rows in the window, and some around it, are in the page. */
  const list = (() => {
    const scroller = byId("scroll");
    const table = byId("table");
    const body = byId("rows");
    const head = table.tHead;
    const printLimit = 500;
    let rowHeight = 32;
    let firstRow = 0;
    let sortColumn = isSortedByTime() ? "time" : "";
    let isDescending = true;
    let isPrinting = false;

    function isSortedByTime() {
      for (let i = 1; i < count; i++) if (time[i] > time[i - 1]) return false;
      return true;
    }

    /** @param {number} height */
    function spacer(height) {
      const row = document.createElement("tr");
      row.className = "space";
      row.setAttribute("aria-hidden", "true");
      const cell = row.appendChild(document.createElement("td"));
      cell.colSpan = 4;
      cell.style.height = `${height}px`;
      return row;
    }

    /** @param {number} number its place in the list */
    function makeRow(number) {
      const i = shown[number];
      const row = document.createElement("tr");
      row.id = `row-${i}`;
      row.dataset.quake = String(i);
      row.setAttribute("aria-rowindex", String(number + 2));
      row.setAttribute("aria-selected", String(i === selected));
      const depth = data.depth[i];
      const isLarge = (data.mag[i] ?? 0) >= 6;
      const cell = (/** @type {string} */ name, /** @type {(string | Node)[]} */ ...content) => {
        const made = row.appendChild(document.createElement("td"));
        made.className = name;
        made.append(...content);
        return made;
      };
      const moment = utc(time[i]);
      const year = element("span", moment.slice(0, -14));
      year.className = "year";
      cell(isLarge ? "mag large" : "mag", magnitudeText(data.mag[i]));
      cell("where", placeOf(i)).title = placeOf(i);
      cell("when", year, moment.slice(-14, -3));
      cell("depth", depth === null ? "" : `${Math.round(depth)} km`);
      return row;
    }

    function show() {
      table.setAttribute("aria-rowcount", String(shown.length + 1));
      const scrolled = Math.floor(scroller.scrollTop / rowHeight);
      const visible = Math.ceil(scroller.clientHeight / rowHeight);
      firstRow = isPrinting ? 0 : Math.max(Math.min(scrolled - 8, shown.length - visible - 8), 0);
      const end = isPrinting ? Math.min(printLimit, shown.length) : Math.min(firstRow + visible + 16, shown.length);
      const rows = [];
      if (firstRow > 0) rows.push(spacer(firstRow * rowHeight));
      for (let number = firstRow; number < end; number++) rows.push(makeRow(number));
      if (end < shown.length && !isPrinting) rows.push(spacer((shown.length - end) * rowHeight));
      body.replaceChildren(...rows);
      const active = selected >= 0 && byId(`row-${selected}`);
      if (active) table.setAttribute("aria-activedescendant", active.id);
      else table.removeAttribute("aria-activedescendant");
    }

    function measure() {
      const row = body.querySelector("tr:not(.space)");
      if (row) rowHeight = row.getBoundingClientRect().height || rowHeight;
    }

    /** Scrolls so that the selected quake can be seen. */
    function reveal() {
      const number = shown.indexOf(selected);
      if (number >= 0) {
        const top = number * rowHeight;
        const room = scroller.clientHeight - head.offsetHeight;
        const hidden = Math.max(scroller.scrollTop - top, top + rowHeight - scroller.scrollTop - room);
        // One row further scrolls by a row; a quake far away comes to the middle.
        if (hidden > rowHeight) scroller.scrollTop = top - room / 2;
        else if (top < scroller.scrollTop) scroller.scrollTop = top;
        else if (hidden > 0) scroller.scrollTop += hidden;
      }
      show();
    }

    /** @type {Record<string, (a: number, b: number) => number>} */
    const comparisons = {
      time: (a, b) => time[a] - time[b],
      mag: (a, b) => (data.mag[a] ?? -Infinity) - (data.mag[b] ?? -Infinity) || 0,
      depth: (a, b) => (data.depth[a] ?? -Infinity) - (data.depth[b] ?? -Infinity) || 0,
      place: (a, b) => placeRank()[a] - placeRank()[b],
    };

    /** @type {Uint32Array | null} */
    let ranks = null;
    /** The place of each quake in the order of names, worked out once: comparing numbers is cheap. */
    function placeRank() {
      if (!ranks) {
        const collator = new Intl.Collator("en", { numeric: true });
        ranks = new Uint32Array(count);
        const sorted = Array.from(time.keys()).sort((a, b) => collator.compare(placeOf(a), placeOf(b)));
        for (let k = 0; k < count; k++) ranks[sorted[k]] = k;
      }
      return ranks;
    }

    /** @param {string} column */
    function sort(column) {
      isDescending = column === sortColumn ? !isDescending : column !== "place";
      sortColumn = column;
      const compare = comparisons[column];
      const sign = isDescending ? -1 : 1;
      order = Uint32Array.from(time.keys()).sort((a, b) => sign * compare(a, b) || a - b);
      scroller.scrollTop = 0;
      markSorted();
      update();
    }

    function markSorted() {
      for (const button of head.querySelectorAll("button")) {
        const isSorted = button.dataset.column === sortColumn;
        const direction = isDescending ? "descending" : "ascending";
        button.parentElement.setAttribute("aria-sort", isSorted ? direction : "none");
      }
    }

    scroller.addEventListener("scroll", () => requestAnimationFrame(show), { passive: true });
    for (const button of head.querySelectorAll("button")) {
      button.tabIndex = 0;
      button.addEventListener("click", () => sort(button.dataset.column));
    }
    body.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const row = /** @type {Element} */ (event.target).closest("tr");
      if (row?.dataset.quake) select(Number(row.dataset.quake), "list");
    });
    table.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.target !== table) return;
      const page = Math.max(Math.floor(scroller.clientHeight / rowHeight) - 2, 1);
      const here = shown.indexOf(selected);
      /** @type {Record<string, number>} */
      const targets = {
        ArrowDown: here + 1, ArrowUp: here < 0 ? 0 : here - 1, PageDown: here + page, PageUp: here - page, Home: 0,
        End: shown.length - 1,
      };
      if (event.key in targets && shown.length) {
        event.preventDefault();
        select(shown[Math.min(Math.max(targets[event.key], 0), shown.length - 1)], "list");
      } else if (event.key === "Enter" && selected >= 0) {
        event.preventDefault();
        map.zoomTo(selected);
      }
    });
    addEventListener("beforeprint", () => {
      isPrinting = true;
      byId("print-note").textContent =
        shown.length > printLimit ? `The first ${printLimit} of ${grouped(shown.length)} quakes.` : "";
      show();
    });
    addEventListener("afterprint", () => {
      isPrinting = false;
      show();
    });
    markSorted();
    return { show, reveal, measure };
  })();

  // ---------------------------------------------------------------------------------------------- outlines

  /**
   * Lines ready to draw, in degrees of longitude and of height downwards.
   * @typedef {{ land: Path2D, coast: Path2D, borders: Path2D, plates: Path2D }} Outlines
   */

  /** @type {Record<string, Outlines>} */
  const unpacked = {};

  /** The outlines `coarse` or `fine`, unpacked when first needed; Scripts/pack-outlines says how they lie. @param {string} name */
  function outlines(name) {
    if (unpacked[name]) return unpacked[name];
    const bytes = atob(byId(name).textContent.trim());
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
    const steps = next();
    const layers = next();
    const result = { land: new Path2D(), coast: new Path2D(), borders: new Path2D(), plates: new Path2D() };
    const paths = [result.coast, result.borders, result.plates];
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
          // Around a pole: the land reaches on to it.
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

  // ---------------------------------------------------------------------------------------------- map

  /**
   * The map. What is drawn covers the window and a margin; while it is moved, the drawn picture moves, and it is drawn
   * anew when it rests. Drawing 20,000 quakes anew takes longer than a frame.
   */
  const map = (() => {
    const box = byId("view");
    const picture = byId("picture");
    const ground = byId("ground");
    const dots = byId("dots");
    const ring = byId("selection");
    const tip = byId("tip");
    const colorChoice = byId("color");
    const plates = byId("plates");
    /** The middle of the window in degrees of longitude and height, and pixels to a degree. */
    const view = { x: 0, y: 0, scale: 1 };
    /** The same when the picture was drawn. */
    const drawn = { x: 0, y: 0, scale: 1 };
    let width = 1;
    let tall = 1;
    let margin = { x: 0, y: 0 };
    let restTimer = 0;
    let frameIsDue = false;
    let drawTime = 0;
    let hovered = -1;
    const greatestScale = 4000;

    const leastScale = () => Math.max(width / 360, 0.2);
    /** @param {number} x @param {number} from */
    const wrapped = (x, from) => x - Math.floor((x - from) / 360) * 360;

    /** Shows as much as holds the given bounds. @param {[number, number, number, number]} bounds */
    function fit([west, south, east, north]) {
      const [top, bottom] = [heightOfLatitude(north), heightOfLatitude(south)];
      view.x = (west + east) / 2;
      view.y = (top + bottom) / 2;
      view.scale = Math.min(width / (east - west), tall / (top - bottom));
      move();
    }

    function keepInBounds() {
      view.scale = Math.min(Math.max(view.scale, leastScale()), greatestScale);
      const reach = Math.max(pole - tall / 2 / view.scale, 0);
      view.y = Math.min(Math.max(view.y, -reach), reach);
    }

    /** After every change of the view: shows the drawn picture there, and draws anew when the map rests. */
    function move() {
      keepInBounds();
      clearTimeout(restTimer);
      restTimer = setTimeout(rest, 120);
      if (frameIsDue) return;
      frameIsDue = true;
      requestAnimationFrame(() => {
        frameIsDue = false;
        const ranOut =
          Math.abs(view.x - drawn.x) * view.scale > margin.x || Math.abs(view.y - drawn.y) * view.scale > margin.y;
        // Where drawing is quick there is no reason to wait for rest.
        if (ranOut && drawTime < 25) draw();
        else place();
      });
    }

    function rest() {
      draw();
      if (inView.checked) update();
    }

    /** Puts the drawn picture, and what lies above it, where the view wants them. */
    function place() {
      const zoom = view.scale / drawn.scale;
      const x = width / 2 - (width / 2 + margin.x) * zoom + (drawn.x - view.x) * view.scale;
      const y = tall / 2 - (tall / 2 + margin.y) * zoom - (drawn.y - view.y) * view.scale;
      picture.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
      placeRing();
    }

    function placeRing() {
      ring.hidden = selected < 0;
      if (selected < 0) return;
      const { x, y } = positionOf(selected);
      const size = 2 * radius[selected] + 12;
      ring.style.width = ring.style.height = `${size}px`;
      ring.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
    }

    /** Where a quake lies in the window; of its places on an endless world the one nearest to the middle. @param {number} i */
    function positionOf(i) {
      const x = wrapped(longitude[i], view.x - 180);
      return { x: width / 2 + (x - view.x) * view.scale, y: tall / 2 - (height[i] - view.y) * view.scale };
    }

    /** A test whether a quake lies in the window. */
    function viewTest() {
      const [wide, high] = [width / 2 / view.scale, tall / 2 / view.scale];
      return (/** @type {number} */ i) =>
        Math.abs(wrapped(longitude[i], view.x - 180) - view.x) <= wide && Math.abs(height[i] - view.y) <= high;
    }

    function resize() {
      width = box.clientWidth || 1;
      tall = box.clientHeight || 1;
      margin = { x: Math.round(width / 4), y: Math.round(tall / 4) };
      keepInBounds();
      draw();
    }

    /** Draws everything anew. */
    function draw() {
      clearTimeout(restTimer);
      const start = performance.now();
      const ratio = Math.min(window.devicePixelRatio || 1, 2);
      keepInBounds();
      view.x = wrapped(view.x, -180);
      Object.assign(drawn, view);
      const size = { width: width + 2 * margin.x, height: tall + 2 * margin.y };
      for (const canvas of [ground, dots]) {
        const [wide, high] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
        if (canvas.width !== wide || canvas.height !== high) {
          canvas.width = wide;
          canvas.height = high;
          canvas.style.width = `${size.width}px`;
          canvas.style.height = `${size.height}px`;
        }
      }
      drawGround(size, ratio);
      drawDots(ratio);
      place();
      drawTime = performance.now() - start;
    }

    /** @param {{ width: number, height: number }} size @param {number} ratio */
    function drawGround(size, ratio) {
      const style = getComputedStyle(document.documentElement);
      const color = (/** @type {string} */ name) => style.getPropertyValue(name);
      const context = ground.getContext("2d");
      const { x, y, scale } = view;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = color("--sea");
      context.fillRect(0, 0, size.width, size.height);
      const lines = outlines(scale > 6 ? "fine" : "coarse");
      const west = x - size.width / 2 / scale;
      const east = x + size.width / 2 / scale;
      // The world is drawn as often as it falls into the picture. Rings that cross the 180th meridian reach beyond it on
      // one side, so all land comes before all lines.
      const inEachWorld = (/** @type {() => void} */ body) => {
        for (let turn = Math.ceil((west - 540) / 360); turn * 360 - 540 < east; turn++) {
          context.setTransform(
            scale * ratio, 0, 0, scale * ratio, (size.width / 2 + (turn * 360 - x) * scale) * ratio,
            (size.height / 2 + y * scale) * ratio);
          body();
        }
      };
      context.fillStyle = color("--land");
      inEachWorld(() => context.fill(lines.land, "evenodd"));
      /** @type {(path: Path2D, name: string, width: number) => void} */
      const stroke = (path, name, width) => {
        context.lineWidth = width / scale;
        context.strokeStyle = color(name);
        inEachWorld(() => context.stroke(path));
      };
      stroke(lines.borders, "--border", 0.8);
      stroke(lines.coast, "--coast", 0.8);
      if (plates.checked) stroke(outlines("fine").plates, "--plate", 1.2);
      drawGraticule(context, size, ratio, color("--grid"));
    }

    /** @param {CanvasRenderingContext2D} context @param {{ width: number, height: number }} size @param {number} ratio @param {string} color */
    function drawGraticule(context, size, ratio, color) {
      const { x, y, scale } = view;
      const step = [1, 2, 5, 10, 15, 30].find((degrees) => degrees * scale > 90) ?? 30;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.strokeStyle = color;
      context.lineWidth = 1;
      context.beginPath();
      const reach = size.width / 2 / scale;
      for (let degrees = Math.ceil((x - reach) / step) * step; degrees < x + reach; degrees += step) {
        const across = size.width / 2 + (degrees - x) * scale;
        context.moveTo(across, 0);
        context.lineTo(across, size.height);
      }
      for (let degrees = Math.ceil(-90 / step) * step; degrees <= 90; degrees += step) {
        const down = size.height / 2 - (heightOfLatitude(degrees) - y) * scale;
        context.moveTo(0, down);
        context.lineTo(size.width, down);
      }
      context.stroke();
    }

    /**
     * A circle as pixels: their places beside its middle, how much of each it covers, and how much of that is its rim.
     * @typedef {{ dx: Int16Array, dy: Int16Array, cover: Float32Array, rim: Float32Array }} Disc
     */
    /** @type {Map<number, Disc>} */
    const discs = new Map();

    /** The disc of a radius in half pixels, made once. @param {number} halves @returns {Disc} */
    function disc(halves) {
      const known = discs.get(halves);
      if (known) return known;
      const reach = halves / 2;
      const edge = Math.ceil(reach + 1);
      /** @type {number[][]} */
      const pixels = [];
      for (let dy = -edge; dy <= edge; dy++) {
        for (let dx = -edge; dx <= edge; dx++) {
          const distance = Math.hypot(dx, dy);
          const cover = Math.min(Math.max(reach + 0.5 - distance, 0), 1);
          const inner = Math.min(Math.max(reach - 0.5 - distance, 0), 1);
          if (cover > 0) pixels.push([dx, dy, cover, reach < 2 ? 0.25 : (cover - inner) / cover]);
        }
      }
      const made = {
        dx: Int16Array.from(pixels, (pixel) => pixel[0]),
        dy: Int16Array.from(pixels, (pixel) => pixel[1]),
        cover: Float32Array.from(pixels, (pixel) => pixel[2]),
        rim: Float32Array.from(pixels, (pixel) => pixel[3]),
      };
      discs.set(halves, made);
      return made;
    }

    /** Draws the shown quakes pixel by pixel: ten times as fast as the canvas draws circles. @param {number} ratio */
    function drawDots(ratio) {
      const context = dots.getContext("2d");
      const image = context.createImageData(dots.width, dots.height);
      const { x: middle, y, scale } = view;
      const by = colorChoice.value;
      const style = getComputedStyle(document.documentElement);
      const [ring, deepRing] = ["--ring", "--deep-ring"].map((name) => rgb(style.getPropertyValue(name).trim()));
      /** @type {Map<string, number[]>} */
      const colors = new Map();
      const west = middle - (width / 2 + margin.x) / scale - 1;
      for (const i of drawingOrder) {
        if (!isShown[i]) continue;
        const name = colorOf(i, by);
        let color = colors.get(name);
        if (!color) colors.set(name, (color = rgb(name)));
        const down = Math.round((tall / 2 + margin.y - (height[i] - y) * scale) * ratio);
        const reach = radius[i] * ratio;
        if (down < -reach || down > dots.height + reach) continue;
        const circle = disc(Math.max(Math.round(reach * 2), 2));
        let across = (width / 2 + margin.x + (wrapped(longitude[i], west) - middle) * scale) * ratio;
        for (; across < dots.width + reach; across += 360 * scale * ratio) {
          // On a dark map the dark colours need a bright rim.
          blend(image, circle, Math.round(across), down, color, color[1] < 110 ? deepRing : ring);
        }
      }
      context.putImageData(image, 0, 0);
    }

    /**
     * Lays a disc over what is there.
     * @param {ImageData} image @param {Disc} circle @param {number} x @param {number} y
     * @param {number[]} color @param {number[]} ringColor
     */
    function blend(image, circle, x, y, color, ringColor) {
      const { dx, dy, cover, rim } = circle;
      const { width: wide, height: high, data: pixels } = image;
      for (let k = 0; k < dx.length; k++) {
        const [px, py] = [x + dx[k], y + dy[k]];
        if (px < 0 || py < 0 || px >= wide || py >= high) continue;
        const at = (py * wide + px) * 4;
        const ring = rim[k] * 0.65;
        const alpha = cover[k] * 0.86;
        const below = (pixels[at + 3] / 255) * (1 - alpha);
        const sum = alpha + below;
        for (let channel = 0; channel < 3; channel++) {
          const own = color[channel] + (ringColor[channel] - color[channel]) * ring;
          pixels[at + channel] = (own * alpha + pixels[at + channel] * below) / sum;
        }
        pixels[at + 3] = sum * 255;
      }
    }

    /** @param {string} color #rrggbb */
    function rgb(color) {
      return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    }

    /** The quake at a place of the window, the smallest that is hit, or -1. @param {number} x @param {number} y @param {number} slack */
    function quakeAt(x, y, slack) {
      let best = -1;
      let nearest = Infinity;
      for (let i = 0; i < count; i++) {
        if (!isShown[i]) continue;
        const across = Math.abs(wrapped(longitude[i], view.x - 180) - view.x - (x - width / 2) / view.scale);
        if (across * view.scale > radius[i] + slack) continue;
        const distance = Math.hypot(across * view.scale, tall / 2 - (height[i] - view.y) * view.scale - y);
        if (distance > radius[i] + slack) continue;
        const rank = radius[i] + distance;
        if (rank < nearest) {
          nearest = rank;
          best = i;
        }
      }
      return best;
    }

    /** Zooms about a place of the window, which stays where it is. @param {number} factor */
    function zoom(factor, x = width / 2, y = tall / 2) {
      const before = view.scale;
      view.scale = Math.min(Math.max(before * factor, leastScale()), greatestScale);
      const change = 1 / before - 1 / view.scale;
      view.x += (x - width / 2) * change;
      view.y -= (y - tall / 2) * change;
      move();
    }

    /** Moves the map so that a quake lies well inside the window. @param {number} i */
    function reveal(i) {
      const { x, y } = positionOf(i);
      const edge = Math.min(40, width / 8, tall / 8);
      if (x > edge && y > edge && x < width - edge && y < tall - edge) return placeRing();
      view.x = longitude[i];
      view.y = height[i];
      move();
    }

    /** @param {number} i */
    function zoomTo(i) {
      view.scale = Math.max(view.scale, 40);
      view.x = longitude[i];
      view.y = height[i];
      move();
    }

    /** @param {number} i @param {number} x @param {number} y */
    function hover(i, x, y) {
      hovered = i;
      box.classList.toggle("pointing", i >= 0);
      tip.hidden = i < 0;
      if (i < 0) return;
      const depth = data.depth[i];
      tip.textContent = `${headline(i)} · ${utc(time[i])} UTC${depth === null ? "" : ` · ${depth} km deep`}`;
      const { offsetWidth, offsetHeight } = tip;
      const left = Math.min(x + 14, width - offsetWidth - 4);
      const top = y + offsetHeight + 22 > tall ? y - offsetHeight - 10 : y + 16;
      tip.style.transform = `translate(${Math.max(left, 4)}px, ${top}px)`;
    }

    // Pointers: one drags, two pinch, a press without movement selects.
    {
      /** @type {Map<number, { x: number, y: number }>} */
      const pointers = new Map();
      let travelled = 0;
      const at = (/** @type {MouseEvent} */ event) => {
        const { left, top } = box.getBoundingClientRect();
        return { x: event.clientX - left, y: event.clientY - top };
      };
      box.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
        if (event.button !== 0) return;
        box.setPointerCapture(event.pointerId);
        if (pointers.size === 0) travelled = 0;
        pointers.set(event.pointerId, at(event));
      });
      box.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
        const here = at(event);
        const before = pointers.get(event.pointerId);
        if (!before) {
          if (event.pointerType === "mouse") hover(quakeAt(here.x, here.y, 3), here.x, here.y);
          return;
        }
        travelled += Math.hypot(here.x - before.x, here.y - before.y);
        if (travelled > 4) {
          box.classList.add("dragging");
          hover(-1, 0, 0);
          view.x -= (here.x - before.x) / view.scale / pointers.size;
          view.y += (here.y - before.y) / view.scale / pointers.size;
          if (pointers.size === 2) {
            for (const [id, other] of pointers) {
              if (id === event.pointerId) continue;
              const apart = Math.hypot(before.x - other.x, before.y - other.y);
              const now = Math.hypot(here.x - other.x, here.y - other.y);
              if (apart > 10) zoom(now / apart, (here.x + other.x) / 2, (here.y + other.y) / 2);
            }
          }
          move();
        }
        pointers.set(event.pointerId, here);
      });
      const end = (/** @type {PointerEvent} */ event) => {
        if (!pointers.delete(event.pointerId)) return;
        box.classList.remove("dragging");
        if (event.type === "pointerup" && pointers.size === 0 && travelled <= 4) {
          const { x, y } = at(event);
          const hit = quakeAt(x, y, event.pointerType === "mouse" ? 3 : 12);
          if (hit >= 0) select(hit, "map");
        }
      };
      box.addEventListener("pointerup", end);
      box.addEventListener("pointercancel", end);
      box.addEventListener("pointerleave", () => hover(-1, 0, 0));
      box.addEventListener("dblclick", (/** @type {MouseEvent} */ event) => {
        const { x, y } = at(event);
        zoom(2, x, y);
      });
      box.addEventListener(
        "wheel",
        (/** @type {WheelEvent} */ event) => {
          event.preventDefault();
          const lines = event.deltaMode === 1 ? 30 : 1;
          const { x, y } = at(event);
          zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), x, y);
        },
        { passive: false });
    }

    box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const step = 80 / view.scale;
      /** @type {Record<string, () => void>} */
      const actions = {
        ArrowLeft: () => (view.x -= step),
        ArrowRight: () => (view.x += step),
        ArrowUp: () => (view.y += step),
        ArrowDown: () => (view.y -= step),
        "+": () => zoom(1.5),
        "=": () => zoom(1.5),
        "-": () => zoom(1 / 1.5),
        "0": () => fit(data.bounds),
        Enter: () => {
          const nearest = quakeAt(width / 2, tall / 2, Math.max(width, tall));
          if (nearest >= 0) select(nearest, "map");
        },
      };
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
      move();
    });
    byId("zoom-in").addEventListener("click", () => zoom(1.7));
    byId("zoom-out").addEventListener("click", () => zoom(1 / 1.7));
    byId("fit").addEventListener("click", () => fit(data.bounds));
    colorChoice.addEventListener("change", () => {
      drawLegend(colorChoice.value);
      draw();
    });
    plates.addEventListener("change", draw);
    return { draw, fit, resize, reveal, zoomTo, viewTest, placeRing, positionOf, view };
  })();

  /** @param {string} by depth or age */
  function drawLegend(by) {
    const legend = byId("legend");
    const sizes = document.createElement("div");
    sizes.className = "sizes";
    sizes.append(element("b", "Magnitude"));
    for (const magnitude of [2, 4, 5, 6, 7]) {
      const size = sizes.appendChild(element("span", ""));
      size.className = "size";
      const circle = size.appendChild(element("i", ""));
      circle.style.width = circle.style.height = `${2 * radiusOfMagnitude(magnitude)}px`;
      size.append(String(magnitude));
    }
    const colors = document.createElement("div");
    colors.className = "colors";
    colors.append(element("b", by === "age" ? "Past" : "Depth, km"));
    const steps = by === "age" ? ages.map(({ color, label }) => [null, color, label]) : data.depths;
    for (const [, color, label] of steps) {
      const step = colors.appendChild(element("span", ""));
      const swatch = step.appendChild(element("i", ""));
      swatch.style.background = String(color);
      step.append(String(label));
    }
    legend.replaceChildren(sizes, colors);
  }

  // ---------------------------------------------------------------------------------------------- selection

  /** @param {string} tag @param {string} text */
  function element(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  /**
   * Selects a quake, or none with -1, in list, map, card and address.
   * @param {number} i @param {"list" | "map" | "address" | "key"} from
   */
  function select(i, from) {
    selected = i;
    showCard();
    list.reveal();
    if (i >= 0 && from !== "map") map.reveal(i);
    else map.placeRing();
    if (from !== "address") {
      const address = i >= 0 ? `#${encodeURIComponent(data.id[i])}` : location.pathname + location.search;
      history.replaceState(null, "", address);
    }
  }

  /** The number of the quake with this id, under any of its ids; -1 without one. @param {string} id */
  function quakeWithId(id) {
    const wanted = id.toLowerCase();
    const own = data.id.findIndex((one) => one.toLowerCase() === wanted);
    if (own >= 0) return own;
    const other = Object.entries(data.rare.ids).find(([, ids]) => ids.toLowerCase().split(" ").includes(wanted));
    return other ? Number(other[0]) : -1;
  }

  function selectFromAddress() {
    let id = "";
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      // An address that is not well formed names no quake.
    }
    const wanted = id || (started ? "" : data.selected ?? "");
    const found = wanted ? quakeWithId(wanted) : -1;
    if (found !== selected) select(found, "address");
  }

  /** @param {string} name @param {any} value */
  function valueText(name, value) {
    if (value === null) return "none";
    if (name === "time" || name === "updated") return `${utc(value)} UTC`;
    if (name === "mag") return magnitudeText(value);
    if (name === "depth") return `${value} km`;
    if (name === "tsunami") return value === 1 ? "yes" : "no";
    if (["ids", "sources", "types"].includes(name)) return String(value).split(",").filter(Boolean).join(", ");
    return String(value);
  }

  /** @type {Record<string, string>} */
  const names = {
    mag: "magnitude", magType: "magnitude type", lat: "latitude", lon: "longitude", felt: "felt reports",
    tsunami: "tsunami flag", sig: "significance", cdi: "reported intensity", mmi: "estimated intensity",
    nst: "stations", dmin: "nearest station", rms: "residual", gap: "azimuthal gap", net: "network",
  };

  function showCard() {
    const card = byId("card");
    card.hidden = selected < 0;
    if (selected < 0) return card.replaceChildren();
    const i = selected;
    const rare = (/** @type {string} */ name) => data.rare[name]?.[i];
    const close = element("button", "×");
    close.className = "close";
    close.setAttribute("type", "button");
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => select(-1, "key"));
    const facts = document.createElement("dl");
    const fact = (/** @type {string} */ name, /** @type {string} */ text) =>
      facts.append(element("dt", name), element("dd", text));
    const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
    const magType = data.words[data.magType[i]];
    const type = data.words[data.type[i]];
    fact("Time", `${utc(time[i])} UTC`);
    fact("Your time", local.format(time[i]));
    fact("Depth", data.depth[i] === null ? "not given" : `${data.depth[i]} km`);
    fact("Magnitude", data.mag[i] === null ? "not given" : `${data.mag[i]}${magType ? ` ${magType}` : ""}`);
    const [lat, lon] = [latitude[i], longitude[i]];
    fact(
      "Place",
      `${Math.abs(lat).toFixed(3)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(lon).toFixed(3)}° ${lon < 0 ? "W" : "E"}`);
    if (type && type !== "earthquake") fact("Kind", type);
    if (data.words[data.status[i]]) fact("Review", data.words[data.status[i]]);
    if (rare("felt")) fact("Felt", `${grouped(rare("felt"))} reports`);
    if (rare("mmi")) fact("Intensity", `${rare("mmi")} estimated`);
    if (rare("alert")) fact("Alert", rare("alert"));
    if (rare("tsunami") === 1) fact("Tsunami", "flagged: see tsunami.gov");
    fact("Id", data.id[i]);
    if (rare("ids")) fact("Other ids", rare("ids").replaceAll(" ", ", "));
    const link = document.createElement("a");
    link.href = rare("url") ?? `https://earthquake.usgs.gov/earthquakes/eventpage/${encodeURIComponent(data.id[i])}`;
    link.textContent = "Page at USGS";
    link.rel = "noreferrer";
    const paragraph = document.createElement("p");
    paragraph.append(link);
    const known = document.createElement("div");
    known.append(facts, paragraph);
    card.replaceChildren(element("h2", headline(i)), close, known, ...historyOf(i));
    card.scrollTop = 0;
  }

  /** @param {number} i @returns {HTMLElement[]} */
  function historyOf(i) {
    const revisions = data.history[i];
    if (!revisions) return [];
    const steps = document.createElement("ol");
    let seen = time[i];
    for (const [later, reason, ...changes] of revisions) {
      seen += later;
      const step = document.createElement("li");
      steps.prepend(step);
      step.append(element("time", `${utc(seen).slice(0, 16)} `), element("b", data.words[reason]));
      if (changes.length === 0) continue;
      const values = step.appendChild(document.createElement("ul"));
      for (const [property, before, after] of changes) {
        const name = data.words[property];
        values.append(
          element("li", `${names[name] ?? name} ${valueText(name, before)} → ${valueText(name, after)}`));
      }
    }
    const section = document.createElement("div");
    section.append(element("h3", "History (UTC)"), steps);
    return [section];
  }

  // ---------------------------------------------------------------------------------------------- start

  let started = false;
  byId("app").hidden = false;
  // On a phone the map matters more than the filters.
  if (matchMedia("(max-width: 760px)").matches) byId("filters").open = false;
  byId("filters").addEventListener("toggle", drawHistogram);
  drawLegend("depth");
  update();
  list.measure();
  update();
  map.resize();
  map.fit(data.bounds);
  map.draw();
  selectFromAddress();
  started = true;
  addEventListener("hashchange", selectFromAddress);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && selected >= 0) select(-1, "key");
  });
  new ResizeObserver(() => {
    list.measure();
    list.show();
    drawHistogram();
    map.resize();
  }).observe(byId("view"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawHistogram();
    map.draw();
  });
  requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
})();
