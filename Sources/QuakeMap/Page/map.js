// @ts-check
// The map of the shown quakes: its view and its drawing.

/**
 * The map. The drawn picture covers the window and a margin. While the map moves, the picture is only shifted; it is
 * redrawn when the map rests, because drawing 20,000 quakes takes longer than a frame.
 */
const map = (() => {
  const box = byId("view");
  const picture = byId("picture");
  const ground = byId("ground");
  const dots = byId("dots");
  const names = byId("names");
  const ring = byId("selection");
  const colorChoice = byId("color");
  const layers = { plates: byId("plates"), cities: byId("cities"), states: byId("states") };
  /** The center of the window in degrees of longitude and of height (`heightOfLatitude`), and the pixels per degree. */
  const view = { x: 0, y: 0, scale: 1 };
  /** The view for which the picture was drawn. */
  const drawn = { x: 0, y: 0, scale: 1 };
  let width = 1;
  let tall = 1;
  let margin = { x: 0, y: 0 };
  let restTimer = 0;
  let frameIsDue = false;
  let drawTime = 0;
  /** Everything on which the drawn ground depends, except for its margin, as text. */
  let drawnLook = "";
  /** Whether the picture still lacks its margin, and will be redrawn in a moment. */
  let isUnfinished = true;
  /** Whether the view fits all quakes, so that the URL can omit it. */
  let isFitted = true;
  /**
   * The views to return to after jumps to a quake or place.
   * @type {{ x: number, y: number, scale: number }[]}
   */
  const past = [];
  /**
   * The view after the last jump.
   * @type {typeof view | null}
   */
  let target = null;
  const maxScale = 4000;

  /** The heights between which the world is drawn: without polar regions that have no quakes. */
  const world = (() => {
    const ends = [extent(latitude), ...data.scope.map(({ box, circle = [0, 0, 0] }) =>
      box ? [box[1], box[3]] : [circle[0] - circle[2] / 111, circle[0] + circle[2] / 111])];
    return {
      south: heightOfLatitude(Math.max(Math.min(-63, ...ends.map(([south]) => south - 2)), -90)),
      north: heightOfLatitude(Math.min(Math.max(84, ...ends.map(([, north]) => north + 2)), 90)),
    };
  })();
  /** The vertical part of the window that no tool, legend or card covers. */
  let free = { top: 0, bottom: 1 };
  function findFree() {
    const stage = box.getBoundingClientRect();
    const reach = (/** @type {string} */ id) => byId(id).getBoundingClientRect();
    // The scale bar takes up the lowest 46 pixels.
    free = isOnPaper ? { top: 0, bottom: tall } : { top: reach("tools").bottom - stage.top + 6, bottom: tall - 46 };
    for (const { height: high, top, left } of [reach("legend-box"), reach("card")]) {
      if (high && left >= stage.left && !isOnPaper) free.bottom = Math.min(free.bottom, top - stage.top - 6);
    }
    free.bottom = Math.max(free.bottom, free.top + 50);
  }

  /**
   * Returns the allowed scale that is closest to `scale`.
   * @param {number} scale
   */
  function allowed(scale) {
    const whole = Math.min(width / 360, (free.bottom - free.top) / (world.north - world.south));
    return Math.min(Math.max(scale, whole, 0.2), maxScale);
  }

  /** The part of the window in which the world is drawn. */
  function frame() {
    const half = 180 * view.scale;
    return {
      left: half * 2 < width ? width / 2 - half : -Infinity, right: half * 2 < width ? width / 2 + half : Infinity,
      top: tall / 2 - (world.north - view.y) * view.scale, bottom: tall / 2 - (world.south - view.y) * view.scale,
    };
  }
  /**
   * Returns the equivalent of a longitude in the 360° that start at `from`.
   * @param {number} x @param {number} from
   */
  const wrapped = (x, from) => x - Math.floor((x - from) / 360) * 360;

  /**
   * Fits the given bounds into the window.
   * @param {number[]} bounds west, south, east, north
   */
  function fit(bounds) {
    legend.show();
    findFree();
    Object.assign(view, fittedView(bounds));
    move();
  }

  /** Fits the shown quakes into the window; without filters, the initial bounds. */
  function fitShown() {
    const isAll = shown.length === 0 || !filters.some((filter) => filter.words !== "only quakes in view");
    fit(isAll && !replay.isOn() ? data.bounds : boundsOf(shown));
    isFitted = isAll;
    scheduleURLUpdate();
  }

  /**
   * Returns the bounds of quakes: the shortest arc of longitudes that contains them, with a margin.
   * @param {Uint32Array} quakes
   */
  function boundsOf(quakes) {
    if (quakes.length === 0) return data.bounds;
    const longitudes = Float64Array.from(quakes, (i) => longitude[i]).sort();
    let gap = { start: longitudes[longitudes.length - 1], width: longitudes[0] + 360 - longitudes[longitudes.length - 1] };
    for (let k = 1; k < longitudes.length; k++) {
      const space = longitudes[k] - longitudes[k - 1];
      if (space > gap.width) gap = { start: longitudes[k - 1], width: space };
    }
    const [south, north] = extent(Float64Array.from(quakes, (i) => latitude[i]));
    if (gap.width < 90) return data.bounds;
    const [wide, high] = [360 - gap.width, north - south];
    // At least 400 km around a single quake, and 100 km for several.
    const least = quakes.length === 1 ? 3.6 : 0.9;
    const stretch = Math.cos(Math.min(Math.abs(south + north) / 2, 80) * radians);
    const [across, down] = [Math.max(wide * 0.08, (least / stretch - wide) / 2), Math.max(high * 0.08, (least - high) / 2)];
    const west = gap.start + gap.width - across;
    return [west, Math.max(south - down, -90), west + wide + 2 * across, Math.min(north + down, 90)];
  }

  /** Limits the view to the world. */
  function keepInBounds() {
    view.scale = allowed(view.scale);
    view.y = within(view.y, view.scale);
  }

  /**
   * Returns the vertical position closest to `y` at which nothing beyond the world is visible.
   * @param {number} y @param {number} scale
   */
  function within(y, scale) {
    const highest = world.north - (tall / 2 - free.top) / scale;
    const lowest = world.south + (free.bottom - tall / 2) / scale;
    return lowest > highest ? (lowest + highest) / 2 : Math.min(Math.max(y, lowest), highest);
  }

  /** Called after every change of the view. Shifts the drawn picture, and redraws it when the map rests. */
  function move() {
    keepInBounds();
    isFitted = false;
    pointing.hideAll();
    clearTimeout(restTimer);
    restTimer = setTimeout(rest, 120);
    if (frameIsDue) return;
    frameIsDue = true;
    requestAnimationFrame(() => {
      frameIsDue = false;
      const ranOut =
        Math.abs(view.x - drawn.x) * view.scale > margin.x || Math.abs(view.y - drawn.y) * view.scale > margin.y;
      // If drawing is quick, there is no need to wait until the map rests.
      if (ranOut && drawTime < 25) draw(true);
      else align();
    });
  }

  /** Called when the map has stopped moving. */
  function rest() {
    draw(true);
    scheduleURLUpdate();
    if (inView.checked) update();
  }

  /** Aligns the drawn picture and the layers above it with the view. */
  function align() {
    const zoom = view.scale / drawn.scale;
    const x = width / 2 - (width / 2 + margin.x) * zoom + (drawn.x - view.x) * view.scale;
    const y = tall / 2 - (tall / 2 + margin.y) * zoom - (drawn.y - view.y) * view.scale;
    picture.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    placeRing();
    placeOverlay();
  }

  function placeRing() {
    const isVisible = selected >= 0 && isShown[selected] === 1;
    ring.hidden = !isVisible;
    if (!isVisible) return;
    const { x, y } = positionOf(selected);
    const size = 2 * radiusOnMap(selected) + 12;
    ring.style.width = ring.style.height = `${size}px`;
    ring.style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
  }

  /** Draws the scale bar, degree labels, home and replay marks for the window, in every frame. */
  const placeOverlay = () => overlay.draw(view, width, tall);

  /**
   * Returns a quake's position in the window: the one nearest to the center if the world repeats.
   * @param {number} i
   */
  const positionOf = (i) => pointAt(longitude[i], height[i]);
  /** @param {number} lon @param {number} high */
  function pointAt(lon, high) {
    const x = wrapped(lon, view.x - 180);
    return { x: width / 2 + (x - view.x) * view.scale, y: tall / 2 - (high - view.y) * view.scale };
  }

  /**
   * Returns the radius of a quake's circle in pixels, at this zoom.
   * @param {number} i
   */
  const radiusOnMap = (i) => radius[i] * sizeFactor(data.present, view.scale);

  /** Returns a test of whether a quake lies in the window. */
  function viewTest() {
    const { x: middle, y } = view;
    const [wide, high] = [width / 2 / view.scale, tall / 2 / view.scale];
    return (/** @type {number} */ i) =>
      Math.abs(wrapped(longitude[i], middle - 180) - middle) <= wide && Math.abs(height[i] - y) <= high;
  }

  /** Adopts the size of the window. Returns whether it changed. */
  function measure() {
    const [wide, high] = [box.clientWidth || 1, box.clientHeight || 1];
    if (wide === width && high === tall) return false;
    [width, tall] = [wide, high];
    findFree();
    keepInBounds();
    if (isFitted) {
      fit(data.bounds);
      isFitted = true;
    }
    return true;
  }

  /** The state of the map in the window, restored after printing. */
  let onScreen = { ...view, isFitted, width, tall };
  /** Switches to the size for printing, or back to the size of the window. */
  function setPaper() {
    if (isOnPaper) onScreen = { ...view, isFitted, width, tall };
    box.style.width = isOnPaper ? "700px" : "";
    box.style.height = isOnPaper ? "430px" : "";
    measure();
    if (!isOnPaper) {
      Object.assign(view, { x: onScreen.x, y: onScreen.y, scale: onScreen.scale });
      isFitted = onScreen.isFitted;
    } else if (!isFitted) {
      view.scale *= Math.min(width / onScreen.width, tall / onScreen.tall);
    }
    draw();
    // Print the canvases as pixels. Otherwise, browsers repeat all drawing operations, with cleared areas in white.
    for (const canvas of isOnPaper ? [ground, dots, names, byId("overlay")] : []) {
      const context = canvas.getContext("2d");
      context.putImageData(context.getImageData(0, 0, canvas.width, canvas.height), 0, 0);
    }
  }

  /**
   * Redraws the picture. The margin, which is half of the work, is drawn only when nothing has changed for a moment.
   * After a change of the filters, so are the names, and the ground stays as it is.
   * @param {boolean} hasMargin
   */
  function draw(hasMargin = isOnPaper) {
    clearTimeout(restTimer);
    const start = performance.now();
    isUnfinished = !hasMargin;
    keepInBounds();
    view.x = wrapped(view.x, -180);
    Object.assign(drawn, view);
    if (legend.show()) findFree();
    const ratio = pixelRatio();
    const chosen = Object.values(layers).map(({ checked }) => checked);
    const look = [...Object.values(view), width, tall, ratio, isDark(), isOnPaper, ...chosen].join();
    const isOther = look !== drawnLook;
    drawnLook = look;
    const before = margin;
    const share = hasMargin ? 0.25 : 0;
    if (isOther || hasMargin) {
      margin = { x: Math.round(Math.min(width * share, 190)), y: Math.round(Math.min(tall * share, 110)) };
    }
    const size = { width: width + 2 * margin.x, height: tall + 2 * margin.y };
    for (const canvas of [ground, dots, names]) fitCanvas(canvas, size, ratio);
    if (isOther || margin.x !== before.x || margin.y !== before.y) drawGround(size, ratio);
    drawDots();
    if (isOther || hasMargin) drawNames();
    align();
    drawTime = performance.now() - start;
    if (!hasMargin) restTimer = setTimeout(draw, 200, true);
  }

  /** @param {HTMLCanvasElement} canvas @param {{ width: number, height: number }} size @param {number} ratio */
  function fitCanvas(canvas, size, ratio) {
    const [wide, high] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.width === wide && canvas.height === high) return;
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${size.width}px`;
    canvas.style.height = `${size.height}px`;
  }

  /** @param {{ width: number, height: number }} size @param {number} ratio */
  function drawGround(size, ratio) {
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name);
    const context = ground.getContext("2d");
    const { x, y, scale } = view;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = color("--panel");
    context.fillRect(0, 0, size.width, size.height);
    context.save();
    context.beginPath();
    const { left, top, right, bottom } = frame();
    const [from, to] = [Math.max(left + margin.x, 0), Math.min(right + margin.x, size.width)];
    context.rect(from, top + margin.y, to - from, bottom - top);
    context.clip();
    context.fillStyle = color("--sea");
    context.fillRect(0, 0, size.width, size.height);
    const lines = outlines(scale > 6 ? "fine" : "coarse");
    const west = x - size.width / 2 / scale;
    const east = x + size.width / 2 / scale;
    // The world is drawn as many times as it appears in the picture. Rings that cross the 180th meridian reach beyond
    // it on one side, by less than 35°, so all land comes before all lines.
    const inEachWorld = (/** @type {() => void} */ body) => {
      for (let turn = Math.ceil((west - 215) / 360); turn * 360 - 215 < east; turn++) {
        context.setTransform(
          scale * ratio, 0, 0, scale * ratio, (size.width / 2 + (turn * 360 - x) * scale) * ratio,
          (size.height / 2 + y * scale) * ratio);
        body();
      }
    };
    /** @type {(path: Path2D, name: string, width: number, dash?: number[]) => void} */
    const stroke = (path, name, wide, dash = []) => {
      context.lineWidth = wide / scale;
      context.strokeStyle = color(name);
      context.setLineDash(dash.map((piece) => piece / scale));
      inEachWorld(() => context.stroke(path));
    };
    const drawLand = (/** @type {typeof lines} */ { land, borders, coast }) => {
      context.fillStyle = color("--land");
      inEachWorld(() => context.fill(land, "evenodd"));
      stroke(borders, "--border", 1.1);
      stroke(coast, "--coast", 0.8);
    };
    const toDegrees = () => context.setTransform(
      scale * ratio, 0, 0, scale * ratio, (size.width / 2 - x * scale) * ratio, (size.height / 2 + y * scale) * ratio);
    context.lineJoin = "round";
    drawLand(lines);
    // Within a box, the more detailed ground covers the rest. In whole pixels, there is no seam between boxes.
    const across = (/** @type {number} */ lon) => Math.round((size.width / 2 + (lon - x) * scale) * ratio);
    const down = (/** @type {number} */ lat) => Math.round((size.height / 2 - (heightOfLatitude(lat) - y) * scale) * ratio);
    for (const [k, [start, south, end, north]] of scale > 20 ? (data.near?.boxes ?? []).entries() : []) {
      const from = wrapped(start, west + start - end);
      const [left, top, right, bottom] = [across(from), down(north), across(from + end - start), down(south)];
      if (from > east || top > ground.height || bottom < 0) continue;
      context.save();
      context.resetTransform();
      context.beginPath();
      context.rect(left, top, right - left, bottom - top);
      context.clip();
      context.fillStyle = color("--sea");
      context.fill();
      drawLand(outlines(k));
      context.restore();
    }
    drawGraticule(context, size, ratio, color("--grid"));
    if (layers.states.checked && scale > 5) stroke(outlines("fine").states, "--border", 0.9, [4, 3]);
    if (layers.plates.checked) stroke(lines.plates, "--plate", 1.2, [6, 3]);
    const areas = scopePaths().map(inWorlds);
    if (areas.length) {
      // Outside the query's areas there may be quakes that this page does not contain.
      context.save();
      toDegrees();
      for (const area of areas) {
        const outside = new Path2D();
        outside.rect(-900, -pole, 1800, 2 * pole);
        outside.addPath(area);
        context.clip(outside, "evenodd");
      }
      context.fillStyle = color("--outside");
      context.fillRect(-900, -pole, 1800, 2 * pole);
      context.restore();
      for (const area of areas) stroke(area, "--scope", 1.5);
    }
    context.setLineDash([]);
    context.restore();
  }

  /**
   * Returns a box in degrees of longitude and of downward height.
   * @param {number[]} bounds west, south, east, north
   */
  function boxPath([west, south, east, north]) {
    const path = new Path2D();
    path.rect(west, -heightOfLatitude(north), east - west, heightOfLatitude(north) - heightOfLatitude(south));
    return path;
  }
  /**
   * Returns a path with its copies 360° to the west and to the east.
   * @param {Path2D} path
   */
  function inWorlds(path) {
    const all = new Path2D();
    for (const turn of [-360, 0, 360]) all.addPath(path, { e: turn });
    return all;
  }

  /**
   * Returns the query's boxes and circles in degrees of longitude and of downward height; empty for the whole world.
   */
  function scopePaths() {
    return data.scope.map((area) => (area.box ? boxPath(area.box) : circlePath(area.circle ?? [0, 0, 0])));
  }

  /** @param {number[]} circle latitude, longitude, radius in kilometers */
  function circlePath([lat, lon, kilometers]) {
    const path = new Path2D();
    const angle = kilometers / earthRadius;
    for (let k = 0; k < 180; k++) {
      const bearing = (k / 90) * Math.PI;
      const [sin, cos] = [Math.sin(lat * radians), Math.cos(lat * radians)];
      const to = Math.asin(sin * Math.cos(angle) + cos * Math.sin(angle) * Math.cos(bearing));
      const turn = Math.atan2(
        Math.sin(bearing) * Math.sin(angle) * cos, Math.cos(angle) - sin * Math.sin(to));
      path.lineTo(lon + turn / radians, -heightOfLatitude(to / radians));
    }
    path.closePath();
    return path;
  }

  /** @param {CanvasRenderingContext2D} context @param {{ width: number, height: number }} size @param {number} ratio @param {string} color */
  function drawGraticule(context, size, ratio, color) {
    const { x, y, scale } = view;
    const step = graticuleStep(scale);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.setLineDash([]);
    context.beginPath();
    const reach = size.width / 2 / scale;
    for (let k = Math.ceil((x - reach) / step); k * step < x + reach; k++) {
      const across = size.width / 2 + (k * step - x) * scale;
      context.moveTo(across, size.height / 2 - (pole - y) * scale);
      context.lineTo(across, size.height / 2 + (pole + y) * scale);
    }
    const [south, north] = [y - size.height / 2 / scale, y + size.height / 2 / scale].map(latitudeOfHeight);
    for (let k = Math.ceil(south / step); k * step <= north; k++) {
      const down = size.height / 2 - (heightOfLatitude(k * step) - y) * scale;
      context.moveTo(0, down);
      context.lineTo(size.width, down);
    }
    context.stroke();
  }

  /** @type {ImageData | null} */
  let image = null;
  /**
   * The stamps by class, then by size and band. They are valid for one size factor, opacity and theme (`stampsLook`).
   * @type {Map<ScaleClass, Stamp[]>}
   */
  let stamps = new Map();
  let stampsLook = "";

  /** Draws the shown quakes pixel by pixel, ten times as fast as with the canvas. */
  function drawDots() {
    const context = dots.getContext("2d");
    if (!image || image.width !== dots.width || image.height !== dots.height) {
      image = /** @type {ImageData} */ (context.createImageData(dots.width, dots.height));
    } else {
      image.data.fill(0);
    }
    const pixels = new Uint32Array(image.data.buffer);
    const ratio = pixelRatio();
    const { x: middle, y, scale } = drawn;
    const classAt = classFinder(colorChoice.value);
    const factor = sizeFactor(data.present, scale) * ratio;
    const opacity = opacityOf(data.present, scale);
    const look = [factor, opacity, isDark()].join();
    if (look !== stampsLook) stamps = new Map();
    stampsLook = look;
    const isWhole = 360 * scale < width;
    const west = isWhole ? middle - 180 : middle - (width / 2 + margin.x) / scale - 1;
    const size = { width: dots.width, height: dots.height };
    for (const i of drawingOrder) {
      if (!isShown[i]) continue;
      const down = Math.round((tall / 2 + margin.y - (height[i] - y) * scale) * ratio);
      const reach = radius[i] * factor;
      if (down < -reach || down > size.height + reach) continue;
      const one = classAt(i);
      let ofClass = stamps.get(one);
      if (!ofClass) stamps.set(one, (ofClass = []));
      const halves = Math.max(Math.round(reach * 2), 2);
      const band = bandOf(data.mag[i]);
      const [, fill, rim] = data.bands[band];
      const circle = (ofClass[halves * 4 + band] ??= stamp(
        halves, rgb(colorOfClass(one)), rgb(rimInBand(one, band)), fill, band >= large ? 1 : opacity, rim * ratio));
      let across = (width / 2 + margin.x + (wrapped(longitude[i], west) - middle) * scale) * ratio;
      for (; across < size.width + reach; across += 360 * scale * ratio) {
        blend(size, pixels, circle, Math.round(across), down);
        if (isWhole) break;
      }
    }
    context.putImageData(image, 0, 0);
  }

  /** Places the names of quakes and of places, and draws them. */
  function drawNames() {
    // While the URL is read, nothing has been drawn yet.
    if (!image) return;
    const stage = box.getBoundingClientRect();
    // Names keep clear of the degree labels at the edges, and of the buttons, the legend and the card.
    const [right, top] = [Math.min(frame().right, width), Math.max(frame().top, 0)];
    const keepClear = [
      { left: 0, top, right: width, bottom: top + 16 },
      { left: right - (drawn.scale > 180 ? 46 : 32), top, right, bottom: tall },
      { left: 0, top: tall - 36, right: 130, bottom: tall },
    ];
    for (const above of [byId("legend-box"), byId("tools"), byId("card"), box.querySelector(".buttons")].filter((one) => one.offsetParent)) {
      const { left, top, right, bottom } = above.getBoundingClientRect();
      keepClear.push({
        left: left - stage.left, right: right - stage.left, top: top - stage.top, bottom: bottom - stage.top,
      });
    }
    for (const [lat, lon, name] of data.centers ?? []) {
      const { x, y } = pointAt(lon, heightOfLatitude(lat));
      keepClear.push({ left: x - 10, top: y - 10, right: x + 12 + 8 * name.length, bottom: y + 10 });
    }
    labels.draw(names.getContext("2d"), drawn, { width, tall, margin }, layers, keepClear);
    placeOverlay();
  }

  /**
   * Zooms around a position in the window, which stays fixed.
   * @param {number} factor
   */
  function zoom(factor, x = width / 2, y = tall / 2) {
    const before = view.scale;
    view.scale = allowed(before * factor);
    const change = 1 / before - 1 / view.scale;
    view.x += (x - width / 2) * change;
    view.y -= (y - tall / 2) * change;
    move();
  }

  /**
   * Returns whether a quake lies outside the part of the window that nothing covers.
   * @param {number} i
   */
  function isCovered(i) {
    findFree();
    const { x, y } = positionOf(i);
    const reach = radiusOnMap(i) + 6;
    return x < 0 || x > width || y < free.top + reach || y > free.bottom - reach;
  }

  /**
   * Moves the map if a quake is not visible on it.
   * @param {number} i
   */
  function reveal(i) {
    if (!isCovered(i)) return align();
    goTo(longitude[i], height[i], view.scale);
  }

  /** The time at which the quakes of the last hour began to pulse, which they do only once. */
  let pulseStart = -Infinity;
  const pulse = () => (performance.now() - pulseStart) / 1500;
  function startPulse() {
    if (!shown.some((i) => data.asOf - time[i] < 3600e3)) return;
    pulseStart = performance.now();
    const next = () => {
      placeOverlay();
      if (pulse() < 1) requestAnimationFrame(next);
    };
    next();
  }

  /** The quake whose row, or circle, is under the pointer; -1 for none. */
  let pointed = -1;
  /** @param {number} i */
  function point(i) {
    if (i === pointed) return;
    pointed = i;
    placeOverlay();
  }

  /** @param {number} i */
  const zoomTo = (i) => goTo(longitude[i], height[i], 60);

  /** @param {number} lon @param {number} high @param {number} scale the minimum scale */
  function goTo(lon, high, scale) {
    remember();
    view.scale = Math.max(view.scale, scale);
    findFree();
    view.x = lon;
    view.y = yAtCenter(high, view.scale);
    move();
    target = { ...view };
  }

  /** Remembers the view before a jump; of several jumps in a row, only the view before the first. */
  function remember() {
    if (target && isNear(view, target)) return;
    past.push({ ...view });
    if (past.length > 50) past.shift();
  }

  /** Goes back to the view before the last jump. Returns whether there was one. */
  function goBack() {
    const last = past.pop();
    if (!last) return false;
    Object.assign(view, last);
    target = null;
    move();
    return true;
  }

  urlParts.set("view", {
    get: () =>
      isFitted || past.length === 0 && isNear(view, fittedView(data.bounds))
        ? null
        : [latitudeOfHeight(view.y).toFixed(4), wrapped(view.x, -180).toFixed(4), Number(view.scale.toPrecision(5))].join(","),
    set(text) {
      const [lat, lon, scale] = (text ?? "").split(",").map(Number);
      if (text === null || !(Math.abs(lat) <= 90 && Math.abs(lon) <= 360 && scale > 0)) {
        if (urlIsRead || !isFitted) {
          fit(data.bounds);
          isFitted = true;
        }
        return;
      }
      Object.assign(view, { x: lon, y: heightOfLatitude(lat), scale });
      isFitted = false;
      draw();
    },
  });

  /** @param {number[]} bounds west, south, east, north */
  function fittedView([west, south, east, north]) {
    const [top, bottom] = [heightOfLatitude(north), heightOfLatitude(south)];
    const room = 0.96 * (free.bottom - free.top);
    const scale = allowed(Math.min((east - west > 359 ? 1 : 0.96) * width / (east - west), room / (top - bottom)));
    return { x: (west + east) / 2, y: within(yAtCenter((top + bottom) / 2, scale), scale), scale };
  }

  /**
   * Returns the vertical position of the view that puts a height into the middle of the free part of the window.
   * @param {number} high @param {number} scale
   */
  const yAtCenter = (high, scale) => high - (tall - free.top - free.bottom) / 2 / scale;

  /** @param {typeof view} one @param {typeof view} other */
  function isNear(one, other) {
    const across = Math.abs(wrapped(one.x - other.x, -180));
    return Math.abs(one.scale / other.scale - 1) < 0.001 && across * one.scale < 1 && Math.abs(one.y - other.y) * one.scale < 1;
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
      "0": fitShown,
      Enter: () => pointing.selectNearest(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
    if (event.key.startsWith("Arrow")) move();
  });
  byId("zoom-in").addEventListener("click", () => zoom(1.7));
  byId("zoom-out").addEventListener("click", () => zoom(1 / 1.7));
  byId("fit").addEventListener("click", fitShown);
  byId("legend-box").addEventListener("toggle", () => {
    findFree();
    if (!isFitted) return;
    fit(data.bounds);
    isFitted = true;
  });
  for (const [name, { title }] of Object.entries(data.scales)) colorChoice.append(new Option(title, name));
  const defaultColor = data.color;
  colorChoice.value = defaultColor;
  colorChoice.addEventListener("change", () => {
    draw();
    list.show();
    scheduleURLUpdate();
  });
  urlParts.set("color", {
    get: () => (colorChoice.value === defaultColor ? null : colorChoice.value),
    set(text) {
      const wanted = text !== null && Object.hasOwn(data.scales, text) ? text : defaultColor;
      if (wanted === colorChoice.value) return;
      colorChoice.value = wanted;
      draw();
      list.show();
    },
  });
  const chosenLayers = () => Object.entries(layers).filter(([, choice]) => choice.checked).map(([name]) => name).join(",");
  const defaultLayers = chosenLayers();
  for (const choice of Object.values(layers)) {
    choice.addEventListener("change", () => {
      draw();
      scheduleURLUpdate();
    });
  }
  urlParts.set("layers", {
    get: () => (chosenLayers() === defaultLayers ? null : chosenLayers()),
    set(text) {
      const wanted = (text ?? defaultLayers).split(",");
      if (chosenLayers() === wanted.join(",")) return;
      for (const [name, choice] of Object.entries(layers)) choice.checked = wanted.includes(name);
      draw();
    },
  });
  return {
    draw, pulse, startPulse, setPaper, drawDots, drawNames, isCovered, point, pointed: () => pointed, fit, fitShown, measure, reveal, zoom, zoomTo, goTo, goBack, move, viewTest, align, placeRing,
    placeOverlay, frame, isUnfinished: () => isUnfinished, positionOf, pointAt, radiusOnMap, view, size: () => ({ width, tall, margin }),
  };
})();

/**
 * Returns the factor that shrinks circles, because many quakes on a world map hide each other. As in SymbolScale.swift.
 * @param {number} quakes @param {number} scale pixels per degree
 */
function sizeFactor(quakes, scale) {
  const crowded = quakes > 10000 ? 0.55 : quakes > 3000 ? 0.7 : quakes > 1000 ? 0.85 : 1;
  return crowded + (1 - crowded) * nearness(scale);
}

/**
 * Returns the color of a circle's outline. A filled circle whose color contrasts with the map anyway has a neutral
 * outline, which sets the circle apart from its neighbors.
 * @param {ScaleClass} one @param {number} band
 */
const rimInBand = (one, band) =>
  band === large && rimOfClass(one) === colorOfClass(one) ? (isDark() ? "#05070a" : "#ffffff") : rimOfClass(one);

/**
 * Returns the opacity of circles that are not large. As in SymbolScale.swift.
 * @param {number} quakes @param {number} scale
 */
function opacityOf(quakes, scale) {
  const crowded = quakes > 50000 ? 0.12 : quakes > 10000 ? 0.3 : quakes > 3000 ? 0.6 : 1;
  return crowded + (1 - crowded) * nearness(scale);
}

/**
 * Returns a value from 0 for a world map to 1 for a map of a county.
 * @param {number} scale
 */
const nearness = (scale) => Math.min(Math.max(Math.log2(scale / 3) / Math.log2(150 / 3), 0), 1);

/**
 * Returns the number of degrees between two lines of the graticule.
 * @param {number} scale pixels per degree
 */
const graticuleStep = (scale) =>
  [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].find((degrees) => degrees * scale > 90) ?? 30;
const pixelRatio = () => (isOnPaper ? 2 : Math.min(window.devicePixelRatio || 1, 2));
