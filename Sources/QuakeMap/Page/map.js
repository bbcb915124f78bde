// @ts-check
// The map of the shown quakes.

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

  /**
   * Shows as much as holds the given bounds.
   * @param {[number, number, number, number]} bounds
   */
  function fit([west, south, east, north]) {
    const [top, bottom] = [heightOfLatitude(north), heightOfLatitude(south)];
    view.x = (west + east) / 2;
    view.y = (top + bottom) / 2;
    // A little smaller, so that buttons and legend hide less.
    view.scale = 0.94 * Math.min(width / (east - west), tall / (top - bottom));
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

  /**
   * Where a quake lies in the window; of its places on an endless world the one nearest to the middle.
   * @param {number} i
   */
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
   * Draws the shown quakes pixel by pixel: ten times as fast as the canvas draws circles.
   * @param {number} ratio
   */
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
   * The quake at a place of the window, the smallest that is hit, or -1.
   * @param {number} x @param {number} y @param {number} slack
   */
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

  /**
   * Zooms about a place of the window, which stays where it is.
   * @param {number} factor
   */
  function zoom(factor, x = width / 2, y = tall / 2) {
    const before = view.scale;
    view.scale = Math.min(Math.max(before * factor, leastScale()), greatestScale);
    const change = 1 / before - 1 / view.scale;
    view.x += (x - width / 2) * change;
    view.y -= (y - tall / 2) * change;
    move();
  }

  /**
   * Moves the map so that a quake lies well inside the window.
   * @param {number} i
   */
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
    tip.textContent = `${headline(i)} · ${utc(time[i])} UTC${depth === null ? "" : ` · ${short(depth)} km deep`}`;
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
