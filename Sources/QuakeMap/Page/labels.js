// @ts-check
// The text on the map: place names, degrees along the edges, and a scale bar.

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * Draws the names of countries, states and cities without overlaps and outside the boxes in `keepClear`.
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, scale: number }} view @param {{ width: number, height: number }} size
 * @param {number} ratio @param {{ cities: HTMLInputElement, states: HTMLInputElement }} layers @param {Box[]} keepClear
 */
function drawPlaceNames(context, view, size, ratio, layers, keepClear) {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  const style = getComputedStyle(document.documentElement);
  const color = (/** @type {string} */ name) => style.getPropertyValue(name);
  const taken = [...keepClear];
  const { scale } = view;
  const family = "system-ui, 'DejaVu Sans', sans-serif";
  context.lineJoin = "round";
  context.textBaseline = "middle";

  /** @param {number} lon @param {number} high */
  const point = (lon, high) => {
    const x = lon - Math.floor((lon - view.x + 180) / 360) * 360;
    return { x: size.width / 2 + (x - view.x) * scale, y: size.height / 2 - (high - view.y) * scale };
  };
  /** @param {Box} box */
  const isFree = (box) =>
    box.left > 0 && box.top > 0 && box.right < size.width && box.bottom < size.height &&
    taken.every((one) => box.right < one.left || box.left > one.right || box.bottom < one.top || box.top > one.bottom);
  /** @param {string} text @param {number} x @param {number} y @param {string} ink */
  const write = (text, x, y, ink) => {
    context.strokeStyle = color("--halo");
    context.lineWidth = 3.5;
    context.strokeText(text, x, y);
    context.fillStyle = color(ink);
    context.fillText(text, x, y);
  };
  /** @param {Region} region @param {string} ink @param {number} room the largest share of the region's width */
  const nameRegion = (region, ink, room) => {
    const { x, y } = point(region.x, region.y);
    if (x < 0 || y < 0 || x > size.width || y > size.height) return;
    const half = context.measureText(region.name).width / 2 + 4;
    const box = { left: x - half, right: x + half, top: y - 9, bottom: y + 9 };
    if (2 * half > region.width * scale * room || !isFree(box)) return;
    taken.push(box);
    write(region.name, x - half + 4, y, ink);
  };
  const nameCities = () => {
    const finest = Math.floor(Math.log2(scale * 0.11));
    if (finest < 0) return;
    for (const city of places().cities) {
      // Cities are sorted by rank, the most important first.
      if (city.rank > finest) break;
      const { x, y } = point(city.lon, city.y);
      if (x < 0 || y < 0 || x > size.width || y > size.height) continue;
      context.font = `${city.rank < 3 ? 12.5 : 12}px ${family}`;
      const wide = context.measureText(city.name).width;
      const spot = { left: x - 3, right: x + 3, top: y - 3, bottom: y + 3 };
      if (!isFree(spot)) continue;
      const right = { left: x + 5, right: x + 9 + wide, top: y - 8, bottom: y + 8 };
      const left = { left: x - 9 - wide, right: x - 5, top: y - 8, bottom: y + 8 };
      const above = { left: x - wide / 2 - 2, right: x + wide / 2 + 2, top: y - 20, bottom: y - 4 };
      const box = [right, left, above].find(isFree);
      if (!box) continue;
      taken.push(box, spot);
      context.beginPath();
      context.arc(x, y, 2, 0, 2 * Math.PI);
      context.strokeStyle = color("--halo");
      context.lineWidth = 2.5;
      context.stroke();
      context.fillStyle = color("--city");
      context.fill();
      write(city.name, box.left + 2, (box.top + box.bottom) / 2, "--city");
    }
  };

  // `letterSpacing` is missing in some browsers and in TypeScript's definitions.
  const spread = (/** @type {string} */ space) => Object.assign(context, { letterSpacing: space });

  if (!layers.cities.checked) return;
  // Countries are named up to a certain zoom, states within a range of zooms.
  context.font = `600 11.5px ${family}`;
  spread("1.5px");
  const { regions } = places();
  const widest = [...regions].sort((a, b) => b.width - a.width);
  for (const region of widest) {
    if (region.width === 0) continue;
    if (!region.isState && scale < 30) nameRegion(region, "--country", 1.2);
    if (region.isState && layers.states.checked && scale > 14 && scale < 120) nameRegion(region, "--country", 1.6);
  }
  spread("0px");
  nameCities();
}

/** The layer above the map that does not move with it. */
const overlay = (() => {
  const canvas = byId("overlay");
  const bar = { box: byId("scale"), km: byId("scale-km"), mi: byId("scale-mi") };

  /** @param {{ x: number, y: number, scale: number }} view @param {number} width @param {number} tall */
  function draw(view, width, tall) {
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
    drawHome(context, width, tall);
    drawCenters(context, width, tall);
    drawSelection(context, width);
    replay.drawMarks(context);
    showScale(view);
  }

  /** @param {CanvasRenderingContext2D} context @param {{ x: number, y: number, scale: number }} view @param {number} width @param {number} tall */
  function drawDegrees(context, { x, y, scale }, width, tall) {
    const style = getComputedStyle(document.documentElement);
    const step = graticuleStep(scale);
    context.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = style.getPropertyValue("--halo");
    context.fillStyle = style.getPropertyValue("--degrees");
    const write = (/** @type {string} */ text, /** @type {number} */ left, /** @type {number} */ top) => {
      context.strokeText(text, left, top);
      context.fillText(text, left, top);
    };
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
      if (left > 130 && left < width - 150) write(longitudeText(k * step), left, Math.max(frame.top, 0) + 12);
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    const [south, north] = [y - tall / 2 / scale, y + tall / 2 / scale].map(latitudeOfHeight);
    for (let k = Math.ceil(south / step); k * step <= north; k++) {
      const top = tall / 2 - (heightOfLatitude(k * step) - y) * scale;
      const isInside = top > Math.max(frame.top, 0) + 24 && top < Math.min(frame.bottom, tall) - 12;
      if (isInside) write(latitudeText(k * step), Math.min(frame.right, width) - 5, top);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} tall */
  function drawHome(context, width, tall) {
    if (!data.home) return;
    const { x, y } = map.pointAt(data.home[1], heightOfLatitude(data.home[0]));
    if (x < -10 || y < -10 || x > width + 10 || y > tall + 10) return;
    const style = getComputedStyle(document.documentElement);
    context.beginPath();
    for (const [dx, dy] of [[0, -9], [9, -1], [6, -1], [6, 8], [-6, 8], [-6, -1], [-9, -1]]) context.lineTo(x + dx, y + dy);
    context.closePath();
    context.lineWidth = 3;
    context.strokeStyle = style.getPropertyValue("--halo");
    context.stroke();
    context.fillStyle = style.getPropertyValue("--home");
    context.fill();
  }

  /** Draws the centers of the query's circles as crosses with their names. */
  function drawCenters(
    /** @type {CanvasRenderingContext2D} */ context, /** @type {number} */ width, /** @type {number} */ tall,
  ) {
    for (const center of data.centers ?? []) drawCenter(context, width, tall, center);
  }

  function drawCenter(
    /** @type {CanvasRenderingContext2D} */ context, /** @type {number} */ width, /** @type {number} */ tall,
    /** @type {Site} */ [lat, lon, name],
  ) {
    const { x, y } = map.pointAt(lon, heightOfLatitude(lat));
    if (x < -10 || y < -10 || x > width + 10 || y > tall + 10) return;
    const style = getComputedStyle(document.documentElement);
    context.font = "600 13px system-ui, 'DejaVu Sans', sans-serif";
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const [color, wide] of /** @type {const} */ ([["--halo", 5], ["--home", 2.5]])) {
      context.strokeStyle = style.getPropertyValue(color);
      context.lineWidth = wide;
      context.beginPath();
      context.moveTo(x - 7, y);
      context.lineTo(x + 7, y);
      context.moveTo(x, y - 7);
      context.lineTo(x, y + 7);
      context.stroke();
      if (color === "--halo") context.strokeText(name, x + 11, y);
    }
    context.fillStyle = style.getPropertyValue("--home");
    context.fillText(name, x + 11, y);
  }

  /** Draws the name of the selected quake, and rings around the quake under the pointer and those of the last hour. */
  function drawSelection(/** @type {CanvasRenderingContext2D} */ context, /** @type {number} */ width) {
    const style = getComputedStyle(document.documentElement);
    const pointed = map.pointed();
    context.strokeStyle = style.getPropertyValue("--mark");
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
    if (selected < 0 || !isShown[selected]) return;
    const { x, y } = map.positionOf(selected);
    const words = headline(selected);
    const text = words.length > 48 ? `${words.slice(0, 47)}…` : words;
    context.font = "600 12px system-ui, 'DejaVu Sans', sans-serif";
    context.textBaseline = "middle";
    const isLeft = x > width / 2;
    context.textAlign = isLeft ? "right" : "left";
    const left = x + (isLeft ? -1 : 1) * (map.radiusOnMap(selected) + 11);
    context.strokeStyle = style.getPropertyValue("--halo");
    context.lineWidth = 4;
    context.strokeText(text, left, y);
    context.fillStyle = style.getPropertyValue("--mark");
    context.fillText(text, left, y);
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
