// @ts-check
// The text on the map: names of places and quakes, degrees along the edges, and a scale bar.

const fonts = "system-ui, 'DejaVu Sans', sans-serif";
/** @param {string} name */
const cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

/**
 * Writes text with a halo.
 * @param {CanvasRenderingContext2D} context @param {string} text @param {number} x @param {number} y @param {string} ink
 */
function writeText(context, text, x, y, ink, halo = 3.5) {
  context.lineJoin = "round";
  context.lineWidth = halo;
  context.strokeStyle = cssColor("--halo");
  context.strokeText(text, x, y);
  context.fillStyle = cssColor(ink);
  context.fillText(text, x, y);
}

/**
 * A rectangle in pixels of the window. For a possible position of a name, `away` is the cost of not being the preferred
 * one.
 * @typedef {{ left: number, top: number, right: number, bottom: number, away?: number }} Box
 */

/**
 * Places names where they cover few quakes: first those of quakes, then those of places. Same rules as in
 * MapLabels.swift.
 */
const labels = (() => {
  const cell = 8;
  /** The maximum number of regions with quakes that are named although their names are wider than the regions. */
  const maxNamedRegions = 24;
  /** The maximum extent of quakes (`coverOf`) that an unimportant name covers. */
  const maxCoveredExtent = 40;
  /**
   * The labels of quakes, which the overlay draws: for the selected one, and those of the three largest that have room.
   * @type {{ i: number, text: string, dx: number, dy: number }[]}
   */
  let quakeLabels = [];
  /** @type {Uint32Array | null} */
  let placedFor = null;
  /** @type {CanvasRenderingContext2D} */
  let context;
  let view = { x: 0, y: 0, scale: 1 };
  /**
   * The window.
   * @type {Box}
   */
  let stage;
  /**
   * The part of the world in the drawn picture, which reaches beyond the window by a margin.
   * @type {Box}
   */
  let frame;
  /** @type {Box[]} */
  let taken = [];
  /** The sum of the radii of the circles that touch each cell of the picture. */
  let covered = new Float32Array();
  let columns = 0;
  /** The total area of the circles in the window, by the number of the region. */
  let areas = new Float64Array();
  /** @type {Map<string, number[]>} */
  const numbersByName = new Map();
  /**
   * The numbers of the regions of each second part of a place. Quakes share parts, so few regions are looked up.
   * @type {number[][]}
   */
  const numbersByPart = [];

  /**
   * Returns the numbers of the regions in which a quake lies: those of its place, and the country of a state.
   * @param {number} i
   */
  function regionNumbers(i) {
    if (!numbersByName.size) {
      const { regions } = places();
      regions.forEach(({ name, isState }, number) => numbersByName.set(
        name === "Georgia" && !isState ? "Georgia (country)" : name,
        isState ? [number, regions.findIndex((one) => one.name === "United States")] : [number]));
    }
    const found = regionsOf(i).flatMap((name) => numbersByName.get(name) ?? []);
    // A place that a replay has changed has no parts.
    if (data.name[i] !== null) numbersByPart[data.name[i] ?? 0] = found;
    return found;
  }

  /** @param {number} lon @param {number} high */
  function pointAt(lon, high) {
    const x = lon - Math.floor((lon - view.x + 180) / 360) * 360;
    return { x: stage.right / 2 + (x - view.x) * view.scale, y: stage.bottom / 2 - (high - view.y) * view.scale };
  }
  /** @param {number} i */
  const pointOf = (i) => pointAt(longitude[i], height[i]);
  /** @param {Box} box @param {{ x: number, y: number }} point */
  const contains = ({ left, top, right, bottom }, { x, y }) => x >= left && x <= right && y >= top && y <= bottom;
  /** @param {{ x: number, y: number }} point @param {number} wide @param {number} high @returns {Box} */
  const boxAround = ({ x, y }, wide, high, dx = 0, dy = 0, away = 0) =>
    ({ left: x + dx - wide, right: x + dx + wide, top: y + dy - high, bottom: y + dy + high, away });
  /** @param {Box} box */
  const isFree = (box) =>
    taken.every((one) => one.right < box.left || one.left > box.right || one.bottom < box.top || one.top > box.bottom);

  /** @param {Box} box @param {(cell: number) => void} body */
  function inCells(box, body) {
    const [left, top, right, bottom] = [box.left - frame.left, box.top - frame.top, box.right - frame.left, box.bottom - frame.top];
    for (let row = Math.floor(top / cell); row <= bottom / cell; row++) {
      for (let column = Math.floor(left / cell); column <= right / cell; column++) body(row * columns + column);
    }
  }
  /** @param {Box} box */
  function coverOf(box) {
    let sum = 0;
    inCells(box, (k) => (sum += Math.min(covered[k] ?? 0, 12)));
    return sum;
  }

  /** Fills `covered` and `areas`. */
  function measureOccupancy() {
    columns = Math.ceil((frame.right - frame.left) / cell) + 1;
    covered = new Float32Array(columns * (Math.ceil((frame.bottom - frame.top) / cell) + 1));
    areas = new Float64Array(places().regions.length);
    const factor = sizeFactor(data.present, view.scale);
    for (const i of shown) {
      const at = pointOf(i);
      if (!contains(frame, at)) continue;
      const reach = radius[i] * factor;
      // Most circles are smaller than a cell, and there may be 100,000.
      if (reach > 3) inCells(boxAround(at, reach, reach), (k) => (covered[k] += reach));
      else covered[Math.floor((at.y - frame.top) / cell) * columns + Math.floor((at.x - frame.left) / cell)] += reach;
      if (!contains(stage, at)) continue;
      for (const number of numbersByPart[data.name[i] ?? -1] ?? regionNumbers(i)) areas[number] += reach * reach;
    }
  }

  /**
   * Returns the free box within another that has the lowest cost: it covers few quakes and is close to the preferred
   * position. Undefined if every cost is `limit` or more.
   * @param {Box[]} boxes @param {Box} within
   */
  function best(boxes, within = frame, limit = Infinity, avoidsLand = false) {
    /** @type {Box | undefined} */
    let found;
    for (const box of boxes) {
      const { left, top, right, bottom, away = 0 } = box;
      if (left < within.left || top < within.top || right > within.right || bottom > within.bottom || !isFree(box)) continue;
      let cost = coverOf(box) + away;
      if (avoidsLand && away > 4) inCells(box, (k) => (cost += land.pixels[4 * k + 3] / 20));
      if (cost < limit) [limit, found] = [cost, box];
    }
    return found;
  }

  /**
   * Returns the positions for a name beside a point: right, left, above, below, and then at the corners.
   * @param {{ x: number, y: number }} point @param {number} reach @param {string} text
   */
  function beside(point, reach, text) {
    const half = context.measureText(text).width / 2 + 2;
    const [aside, above] = [reach + half, reach + 8];
    return [[aside, 0], [-aside, 0], [0, -above], [0, above], [half, -above], [half, above], [-half, -above], [-half, above]]
      .map(([dx, dy], k) => boxAround(point, half, 8, dx, dy, 2 * k));
  }

  /** @param {string} text @param {Box} box @param {string} ink */
  function write(text, box, ink) {
    taken.push(box);
    writeText(context, text, box.left + 2, (box.top + box.bottom) / 2, ink);
  }

  /**
   * Returns a quake's magnitude and place, without the distance: `M 7.3 Port-Vila, Vanuatu`.
   * @param {number} i
   */
  const shortName = (i) => `M ${magnitudeText(data.mag[i])} ` +
    placeOf(i).replace(/(^|– )([\d.]+ ?km \w+ of |\d{4} )/, "$1").replace(/ earthquake$/i, "");

  /** @param {number} i */
  const size = (i) => data.mag[i] ?? -9;
  /** @param {{ x: number, y: number }} one @param {{ x: number, y: number }} other */
  const apart = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

  /**
   * Places the first of several texts, each shorter than the one before, that fits without covering many other quakes.
   * @param {number} i @param {string[]} texts @param {Uint32Array} large
   */
  function placeQuake(i, texts, large) {
    const at = pointOf(i);
    const own = map.radiusOnMap(i);
    const least = i === selected ? 4.5 : Math.min(size(i), 4.5);
    const others = Array.from(large.filter((other) => size(other) >= least), (other) => ({ ...pointOf(other), i: other }))
      .filter((other) => apart(other, at) > own && apart(other, at) < 60);
    for (const [k, words] of texts.entries()) {
      const text = words.length > 48 ? `${words.slice(0, 47)}…` : words;
      const boxes = beside(at, own + (i === selected ? 8 : 4), text).slice(0, 4);
      // The part of the name nearest to its quake is closer to this quake than to any other large one.
      const clear = boxes.filter(({ left, top, right, bottom }) => {
        const end = { x: Math.min(Math.max(at.x, left), right), y: Math.min(Math.max(at.y, top), bottom) };
        return others.every((other) => apart(end, other) - map.radiusOnMap(other.i) >= apart(end, at) - own);
      });
      const limit = texts[k + 1] ? 4 * maxCoveredExtent : Infinity;
      const box = best(clear, stage, limit) ?? best(boxes, stage, limit) ?? (i === selected && boxes[+(at.x > stage.right / 2)]);
      if (!box) continue;
      taken.push(box);
      quakeLabels.push({ i, text, dx: box.left + 2 - at.x, dy: (box.top + box.bottom) / 2 - at.y });
      return;
    }
  }

  /**
   * Places the names of the selected quake and of the three largest. Of several quakes close together, only the largest
   * counts.
   */
  function placeQuakes() {
    quakeLabels = [];
    placedFor = shown;
    context.font = `600 12px ${fonts}`;
    /** @type {number[]} */
    const largest = [];
    for (let left = 3; left > 0; left--) {
      let first = -1;
      for (const i of shown) {
        if (first >= 0 && (size(i) - size(first) || first - i) < 0) continue;
        const at = pointOf(i);
        if (contains(stage, at) && largest.every((one) => apart(pointOf(one), at) > 40)) first = i;
      }
      if (first >= 0) largest.push(first);
    }
    const least = Math.min(...largest.map(size), 4.5);
    const large = shown.filter((i) => size(i) >= least);
    const named = new Set(isShown[selected] ? [selected, ...largest] : largest);
    for (const i of named) taken.push(boxAround(pointOf(i), map.radiusOnMap(i) + 2, map.radiusOnMap(i) + 2));
    for (const i of named) {
      const text = shortName(i);
      placeQuake(i, i === selected ? [headline(i)] :
        [text, text.replace(/^(M \S+ ).*, (?=...)/, "$1"), text.replace(/^(M \S+) .*/, "$1")], large);
    }
  }

  /** @type {any} */
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  /** @type {{ of: string, pixels: number[] }} */
  let land = { of: "", pixels: [] };
  /** Draws the land with one pixel for each cell, unless that has been done for this view. */
  function findLand() {
    const rows = covered.length / columns;
    const of = [view.x, view.y, view.scale, columns, rows].join();
    if (land.of === of) return;
    [pen.canvas.width, pen.canvas.height] = [columns, rows];
    const scale = view.scale / cell;
    for (const turn of [-360, 0, 360]) {
      pen.setTransform(
        scale, 0, 0, scale, (stage.right / 2 - frame.left) / cell + (turn - view.x) * scale,
        (stage.bottom / 2 - frame.top) / cell + view.y * scale);
      pen.fill(outlines("coarse").land, "evenodd");
    }
    land = { of, pixels: pen.getImageData(0, 0, columns, rows).data };
  }

  /**
   * Names countries or states, those with quakes first. A name wider than its country may stand in the sea beside the
   * country.
   * @param {boolean} areStates @param {number} room how many times as wide as a region without quakes its name may be
   */
  function nameRegions(areStates, room) {
    context.font = `600 11.5px ${fonts}`;
    // `letterSpacing` is missing in some browsers and in TypeScript's definitions.
    Object.assign(context, { letterSpacing: "1.5px" });
    findLand();
    const { regions } = places();
    [...regions.keys()].filter((k) => regions[k].isState === areStates && (areas[k] || regions[k].width))
      .sort((a, b) => areas[b] - areas[a] || regions[b].width - regions[a].width)
      .forEach((number, rank) => {
        const { name, x, y, width } = regions[number];
        const at = pointAt(x, y);
        if (!contains(frame, at)) return;
        const half = context.measureText(name).width / 2 + 2;
        const side = (width * view.scale) / 2;
        const isNamed = areas[number] && rank < maxNamedRegions;
        if (!isNamed && half > side * room) return;
        // A name farther away, or many degrees wide beside its country, would seem to belong to something else.
        const most = Math.min(20, 6 * view.scale);
        const aside = Math.min(half > side && half < 20 * view.scale ? side + half + 4 : 0.6 * side, half + most);
        const boxes = [0, aside, -aside].flatMap((dx) => [0, -1, 1, -0.5, 0.5].map((dy) => dy * (9 + most)).map((dy) =>
          boxAround(at, half, 9, dx, dy, (Math.abs(dx) + Math.abs(dy)) / 4)));
        const box = best(boxes, frame, !isNamed ? maxCoveredExtent : (rank < 8 ? 6 : 3) * maxCoveredExtent, half > side);
        if (box) write(name, box, "--country");
      });
    Object.assign(context, { letterSpacing: "0px" });
  }

  /** Returns the cities that this zoom can name, the most important first. */
  function citiesInPicture() {
    const finest = Math.floor(Math.log2(view.scale * 0.11));
    if (finest < 0) return [];
    return places().cities.filter(({ rank, lon, y }) => rank <= finest && contains(frame, pointAt(lon, y))).map((city) => {
      const at = pointAt(city.lon, city.y);
      const near = coverOf(boxAround(at, 24, 24));
      return { ...city, at, dot: boxAround(at, 3, 3), near, limit: city.rank < finest - 1 ? Infinity : maxCoveredExtent };
    });
  }

  /** @param {ReturnType<typeof citiesInPicture>[0]} city */
  function nameCity({ name, rank, at, dot }, limit = Infinity) {
    context.font = `${rank < 3 ? 12.5 : 12}px ${fonts}`;
    const box = best(beside(at, 5, name), frame, limit);
    if (!box) return;
    taken.push(dot);
    context.beginPath();
    context.arc(at.x, at.y, 2, 0, 2 * Math.PI);
    context.strokeStyle = cssColor("--halo");
    context.lineWidth = 2.5;
    context.stroke();
    context.fillStyle = cssColor("--city");
    context.fill();
    write(name, box, "--city");
  }

  /**
   * Places all names outside the boxes in `keepClear`, and draws the names of places.
   * @param {CanvasRenderingContext2D} to @param {typeof view} drawn @param {ReturnType<typeof map.size>} size
   * @param {{ cities: HTMLInputElement, states: HTMLInputElement }} layers @param {Box[]} keepClear
   */
  function draw(to, drawn, { width, tall, margin }, layers, keepClear) {
    [context, view, taken] = [to, drawn, keepClear];
    stage = { left: 0, top: 0, right: width, bottom: tall };
    const world = map.frame();
    frame = {
      left: Math.max(-margin.x, world.left), top: Math.max(-margin.y, world.top),
      right: Math.min(width + margin.x, world.right), bottom: Math.min(tall + margin.y, world.bottom),
    };
    const ratio = pixelRatio();
    context.setTransform(ratio, 0, 0, ratio, margin.x * ratio, margin.y * ratio);
    context.clearRect(-margin.x, -margin.y, width + 2 * margin.x, tall + 2 * margin.y);
    context.textBaseline = "middle";
    measureOccupancy();
    const cities = layers.cities.checked ? citiesInPicture() : [];
    // The three most important cities in the window are always named.
    const first = cities.filter(({ at, dot }) => contains(stage, at) && isFree(dot)).slice(0, 3);
    taken.push(...first.map(({ dot }) => dot));
    placeQuakes();
    if (!layers.cities.checked) return;
    for (const city of first) nameCity(city);
    // Countries are named up to a certain zoom, states within a range of zooms.
    const { scale } = view;
    if (scale < 30) nameRegions(false, 1.2);
    if (layers.states.checked && scale > 14 && scale < 120) nameRegions(true, 1.6);
    cities.sort((a, b) => a.rank - b.rank || b.near - a.near);
    for (const city of cities) if (isFree(city.dot)) nameCity(city, city.limit);
  }

  return { draw, quakeLabels: () => quakeLabels, isOutdated: () => placedFor && placedFor !== shown };
})();

/** The layer above the map that does not move with it. */
const overlay = (() => {
  const canvas = byId("overlay");
  const bar = { box: byId("scale"), km: byId("scale-km"), mi: byId("scale-mi") };

  /** @param {{ x: number, y: number, scale: number }} view @param {number} width @param {number} tall */
  function draw(view, width, tall) {
    // While a replay plays, the quakes change too often to place their names each time.
    if (labels.isOutdated() && !map.isUnfinished() && !replay.isPlaying()) return map.drawNames();
    const ratio = pixelRatio();
    const [wide, high] = [Math.round(width * ratio), Math.round(tall * ratio)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, tall);
    drawDegrees(context, view, width, tall);
    drawHome(context);
    drawCenters(context);
    drawQuakes(context);
    replay.drawMarks(context);
    showScale(view);
  }

  /** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number, scale: number }} view @param {number} width @param {number} tall */
  function drawDegrees(context, { x, y, scale }, width, tall) {
    const step = graticuleStep(scale);
    context.font = `11px ${fonts}`;
    context.textBaseline = "alphabetic";
    context.textAlign = "center";
    const frame = map.frame();
    const reach = Math.min(width / 2 / scale, 180);
    // If the lines are close together, only every second or third is labeled.
    const every = Math.max(Math.ceil(48 / (step * scale)), 1);
    for (let k = Math.ceil((x - reach) / step); k * step < x + reach; k++) {
      if (k % every !== 0) continue;
      const left = width / 2 + (k * step - x) * scale;
      // The corners are reserved for the buttons.
      if (left > 130 && left < width - 150) {
        writeText(context, longitudeText(k * step), left, Math.max(frame.top, 0) + 12, "--degrees");
      }
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    const [south, north] = [y - tall / 2 / scale, y + tall / 2 / scale].map(latitudeOfHeight);
    for (let k = Math.ceil(south / step); k * step <= north; k++) {
      const top = tall / 2 - (heightOfLatitude(k * step) - y) * scale;
      const isInside = top > Math.max(frame.top, 0) + 24 && top < Math.min(frame.bottom, tall) - 12;
      if (isInside) writeText(context, latitudeText(k * step), Math.min(frame.right, width) - 5, top, "--degrees");
    }
  }

  /** @param {CanvasRenderingContext2D} context */
  function drawHome(context) {
    if (!data.home) return;
    const { x, y } = map.pointAt(data.home[1], heightOfLatitude(data.home[0]));
    context.beginPath();
    for (const [dx, dy] of [[0, -9], [9, -1], [6, -1], [6, 8], [-6, 8], [-6, -1], [-9, -1]]) context.lineTo(x + dx, y + dy);
    context.closePath();
    context.lineWidth = 3;
    context.strokeStyle = cssColor("--halo");
    context.stroke();
    context.fillStyle = cssColor("--home");
    context.fill();
  }

  /**
   * Draws the centers of the query's circles as crosses with their names.
   * @param {CanvasRenderingContext2D} context
   */
  function drawCenters(context) {
    context.font = `600 13px ${fonts}`;
    context.textAlign = "left";
    for (const [lat, lon, name] of data.centers ?? []) {
      const { x, y } = map.pointAt(lon, heightOfLatitude(lat));
      writeText(context, name, x + 11, y, "--home", 5);
      context.beginPath();
      context.moveTo(x - 7, y);
      context.lineTo(x + 7, y);
      context.moveTo(x, y - 7);
      context.lineTo(x, y + 7);
      context.stroke();
      context.strokeStyle = cssColor("--home");
      context.lineWidth = 2.5;
      context.stroke();
    }
  }

  /**
   * Draws the names of quakes, and rings around the quake under the pointer and around those of the last hour.
   * @param {CanvasRenderingContext2D} context
   */
  function drawQuakes(context) {
    const pointed = map.pointed();
    context.strokeStyle = cssColor("--mark");
    context.lineWidth = 2.5;
    const share = map.pulse();
    const rings = pointed >= 0 && isShown[pointed] ? [{ i: pointed, reach: 4, opacity: 1 }] : [];
    for (const i of share < 1 ? shown : []) {
      if (data.asOf - time[i] < 3600e3) rings.push({ i, reach: 4 + 24 * share, opacity: 1 - share });
    }
    for (const { i, reach, opacity } of rings) {
      const { x, y } = map.positionOf(i);
      context.globalAlpha = opacity;
      context.beginPath();
      context.arc(x, y, map.radiusOnMap(i) + reach, 0, 2 * Math.PI);
      context.stroke();
    }
    context.globalAlpha = 1;
    context.font = `600 12px ${fonts}`;
    context.textAlign = "left";
    for (const { i, text, dx, dy } of labels.quakeLabels()) {
      if (!isShown[i]) continue;
      const { x, y } = map.positionOf(i);
      const ink = i === selected ? "--mark" : "--text";
      // A line leads to a name above or below.
      const toward = Math.sign(Math.round(dy));
      context.beginPath();
      context.moveTo(x, y + toward * map.radiusOnMap(i));
      if (toward) context.lineTo(x, y + dy - toward * 6);
      [context.strokeStyle, context.lineWidth] = [cssColor("--halo"), 3];
      context.stroke();
      [context.strokeStyle, context.lineWidth] = [cssColor(ink), 1];
      context.stroke();
      writeText(context, text, x + dx, y + dy, ink, 4);
    }
  }

  /** @param {{ y: number, scale: number }} view */
  function showScale({ y, scale }) {
    const latitude = latitudeOfHeight(y);
    // Beyond 60°, degrees of longitude shrink but the map does not, so the bar shows the distance from west to east.
    const kilometersPerPixel = (111.195 * Math.cos(latitude * radians)) / scale;
    for (const [line, unit, factor] of /** @type {const} */ ([[bar.km, "km", 1], [bar.mi, "mi", 1.609344]])) {
      const most = (110 * kilometersPerPixel) / factor;
      const power = 10 ** Math.floor(Math.log10(most));
      const length = [5, 2, 1].map((digit) => digit * power).find((one) => one <= most) ?? power;
      line.style.width = `${(length * factor) / kilometersPerPixel}px`;
      line.textContent = `${grouped(length)} ${unit}`;
    }
  }

  return { draw };
})();
