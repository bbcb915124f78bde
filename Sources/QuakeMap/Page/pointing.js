// @ts-check
// Pointer actions on the map: moving, zooming, showing the quake under the pointer, and selecting.

const pointing = (() => {
  const box = byId("view");
  const tip = byId("tip");
  const overlaps = byId("overlaps");
  const overlapLimit = 12;
  /** The last click on several quakes: its position, the quakes, largest first, and the index of the selected one. */
  let last = { x: 0, y: 0, quakes: /** @type {number[]} */ ([]), next: 0 };

  /**
   * Returns the quakes at a position in the window, largest first.
   * @param {number} x @param {number} y @param {number} slack how many pixels beside a circle still count
   */
  function quakesAt(x, y, slack) {
    const hits = [];
    for (const i of shown) {
      const at = map.positionOf(i);
      const reach = map.radiusOnMap(i) + slack;
      if (Math.abs(at.x - x) <= reach && Math.abs(at.y - y) <= reach && Math.hypot(at.x - x, at.y - y) <= reach) hits.push(i);
    }
    return hits.sort((a, b) => (data.mag[b] ?? -9) - (data.mag[a] ?? -9));
  }

  /** Selects the quake nearest to the center of the window. */
  function selectNearest() {
    const { width, tall } = map.size();
    let best = -1;
    let nearest = Infinity;
    for (const i of shown) {
      const { x, y } = map.positionOf(i);
      const distance = Math.hypot(x - width / 2, y - tall / 2);
      if (distance < nearest && Math.abs(x - width / 2) <= width / 2 && Math.abs(y - tall / 2) <= tall / 2) {
        [best, nearest] = [i, distance];
      }
    }
    if (best >= 0) select(best, "map");
  }

  /**
   * Selects the quake at a click. If there are several, lists them, and another click at the place selects the next.
   */
  function click(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ slack) {
    const hits = quakesAt(x, y, slack);
    if (hits.length === 0) return closeOverlaps();
    if (hits.length === 1) {
      closeOverlaps();
      return select(hits[0], "map");
    }
    const isSamePlace = Math.hypot(x - last.x, y - last.y) <= 6 && hits.join() === last.quakes.join();
    last = { x, y, quakes: hits, next: isSamePlace ? (last.next + 1) % hits.length : 0 };
    select(hits[last.next], "map");
    showOverlaps();
  }

  function showOverlaps() {
    const { x, y, quakes } = last;
    const { width, tall } = map.size();
    const options = quakes.slice(0, overlapLimit).map((i) => {
      const option = element("div", headline(i), "option");
      option.id = `overlaps-${i}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", String(i === selected));
      option.dataset.quake = String(i);
      option.append(element("small", timeInZone(time[i], i)[0].slice(0, 16)));
      return option;
    });
    if (quakes.length > overlapLimit) options.push(element("p", `and ${grouped(quakes.length - overlapLimit)} more; zoom in to see them`));
    overlaps.replaceChildren(...options);
    overlaps.hidden = false;
    overlaps.setAttribute("aria-activedescendant", `overlaps-${selected}`);
    const { offsetWidth, offsetHeight } = overlaps;
    const left = x + 18 + offsetWidth < width ? x + 18 : Math.max(x - 18 - offsetWidth, 4);
    const top = Math.min(Math.max(y - 20, 4), Math.max(tall - offsetHeight - 4, 4));
    overlaps.style.transform = `translate(${left}px, ${top}px)`;
    overlaps.focus({ preventScroll: true });
  }

  function closeOverlaps() {
    if (overlaps.hidden) return false;
    const hadFocus = document.activeElement === overlaps;
    overlaps.hidden = true;
    if (hadFocus) box.focus({ preventScroll: true });
    return true;
  }

  /**
   * Selects another quake in the list of overlapping quakes.
   * @param {number} step
   */
  function stepOverlaps(step) {
    const most = Math.min(last.quakes.length, overlapLimit);
    last.next = (last.next + step + most) % most;
    select(last.quakes[last.next], "map");
    showOverlaps();
  }

  overlaps.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => stepOverlaps(1), ArrowUp: () => stepOverlaps(-1), Home: () => stepOverlaps(-last.next),
      End: () => stepOverlaps(Math.min(last.quakes.length, overlapLimit) - 1 - last.next),
      Enter: () => {
        closeOverlaps();
        map.zoomTo(selected);
      },
      Escape: closeOverlaps,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  overlaps.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const option = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".option"));
    if (!option?.dataset.quake) return;
    select(Number(option.dataset.quake), "map");
    closeOverlaps();
  });
  // Events on the list of overlapping quakes and on the buttons must not reach the map below them.
  for (const kind of ["pointerdown", "pointermove", "pointerup", "dblclick", "wheel", "keydown"]) {
    for (const above of [overlaps, ...box.querySelectorAll(".buttons")]) {
      above.addEventListener(kind, (/** @type {Event} */ event) => {
        if (/** @type {KeyboardEvent} */ (event).key !== "Escape") event.stopPropagation();
      });
    }
  }

  /** @param {number} i @param {number} x @param {number} y */
  function hover(i, x, y) {
    box.classList.toggle("pointing", i >= 0);
    list.point(i);
    map.point(i);
    tip.hidden = i < 0;
    if (i < 0) return;
    const depth = data.depth[i];
    const [moment, zone] = timeInZone(time[i], i);
    tip.textContent = `${headline(i)} · ${moment.slice(0, 16)} ${zone}${depth === null ? "" : ` · ${depthText(depth)}`}`;
    const { width, tall } = map.size();
    const { offsetWidth, offsetHeight } = tip;
    const left = Math.min(x + 14, width - offsetWidth - 4);
    const top = y + offsetHeight + 22 > tall ? y - offsetHeight - 10 : y + 16;
    tip.style.transform = `translate(${Math.max(left, 4)}px, ${top}px)`;
  }

  const hideTip = () => hover(-1, 0, 0);

  /** Hides the tooltip and the list of overlapping quakes, which belong to the previous view. */
  function hideAll() {
    hideTip();
    closeOverlaps();
    last.quakes = [];
  }

  // One pointer drags, two pointers pinch, and a press without movement selects.
  {
    /** @type {Map<number, { x: number, y: number }>} */
    const pointers = new Map();
    let traveled = 0;
    const at = (/** @type {MouseEvent} */ event) => {
      const { left, top } = box.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    box.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0) return;
      box.setPointerCapture(event.pointerId);
      if (pointers.size === 0) traveled = 0;
      pointers.set(event.pointerId, at(event));
    });
    box.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const here = at(event);
      const before = pointers.get(event.pointerId);
      if (!before) {
        if (event.pointerType === "mouse") hover(quakesAt(here.x, here.y, 3).pop() ?? -1, here.x, here.y);
        return;
      }
      traveled += Math.hypot(here.x - before.x, here.y - before.y);
      if (traveled > 4) {
        box.classList.add("dragging");
        map.view.x -= (here.x - before.x) / map.view.scale / pointers.size;
        map.view.y += (here.y - before.y) / map.view.scale / pointers.size;
        if (pointers.size === 2) {
          for (const [id, other] of pointers) {
            if (id === event.pointerId) continue;
            const apart = Math.hypot(before.x - other.x, before.y - other.y);
            const now = Math.hypot(here.x - other.x, here.y - other.y);
            if (apart > 10) map.zoom(now / apart, (here.x + other.x) / 2, (here.y + other.y) / 2);
          }
        }
        map.move();
      }
      pointers.set(event.pointerId, here);
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (!pointers.delete(event.pointerId)) return;
      box.classList.remove("dragging");
      if (event.type === "pointerup" && pointers.size === 0 && traveled <= 4) {
        const { x, y } = at(event);
        click(x, y, event.pointerType === "mouse" ? 3 : 12);
      }
    };
    box.addEventListener("pointerup", end);
    box.addEventListener("pointercancel", end);
    box.addEventListener("pointerleave", () => hover(-1, 0, 0));
    box.addEventListener("dblclick", (/** @type {MouseEvent} */ event) => {
      const { x, y } = at(event);
      map.zoom(2, x, y);
    });
    box.addEventListener(
      "wheel",
      (/** @type {WheelEvent} */ event) => {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 30 : 1;
        const { x, y } = at(event);
        map.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), x, y);
      },
      { passive: false });
  }
  addEventListener("scroll", hideTip, { passive: true });
  return { selectNearest, hideAll, hideTip, closeOverlaps, quakesAt };
})();
