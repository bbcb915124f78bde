// @ts-check
// Pointer actions on the map: moving, zooming, showing the quake under the pointer, and selecting.

const pointing = (() => {
  const box = byId("view");
  const tip = byId("tip");
  const pile = byId("pile");
  const pileLimit = 12;
  /** The quakes at the last click on several quakes, largest first, and the position of the click. */
  let last = { x: 0, y: 0, quakes: /** @type {number[]} */ ([]), next: 0 };

  /**
   * Returns the quakes at a position in the window, largest first.
   * @param {number} x @param {number} y @param {number} slack
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

  /** Selects the quake at a click. If there are several, lists them all, and another click selects the next. */
  function click(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ slack) {
    const hits = quakesAt(x, y, slack);
    if (hits.length === 0) return closePile();
    if (hits.length === 1) {
      closePile();
      return select(hits[0], "map");
    }
    const isSamePlace = Math.hypot(x - last.x, y - last.y) <= 6 && hits.join() === last.quakes.join();
    last = { x, y, quakes: hits, next: isSamePlace ? (last.next + 1) % hits.length : 0 };
    select(hits[last.next], "map");
    showPile();
  }

  function showPile() {
    const { x, y, quakes } = last;
    const { width, tall } = map.size();
    const options = quakes.slice(0, pileLimit).map((i) => {
      const option = element("div", headline(i), "option");
      option.id = `pile-${i}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", String(i === selected));
      option.dataset.quake = String(i);
      option.append(element("small", timeInZone(time[i], i)[0].slice(0, 16)));
      return option;
    });
    if (quakes.length > pileLimit) options.push(element("p", `and ${grouped(quakes.length - pileLimit)} more; zoom in to see them`));
    pile.replaceChildren(...options);
    pile.hidden = false;
    pile.setAttribute("aria-activedescendant", `pile-${selected}`);
    const { offsetWidth, offsetHeight } = pile;
    const left = x + 18 + offsetWidth < width ? x + 18 : Math.max(x - 18 - offsetWidth, 4);
    const top = Math.min(Math.max(y - 20, 4), Math.max(tall - offsetHeight - 4, 4));
    pile.style.transform = `translate(${left}px, ${top}px)`;
    pile.focus({ preventScroll: true });
  }

  function closePile() {
    if (pile.hidden) return false;
    const hadFocus = document.activeElement === pile;
    pile.hidden = true;
    if (hadFocus) box.focus({ preventScroll: true });
    return true;
  }

  /**
   * Selects the next or previous quake in the list at the last click (`pile`).
   * @param {number} step
   */
  function stepPile(step) {
    const most = Math.min(last.quakes.length, pileLimit);
    last.next = (last.next + step + most) % most;
    select(last.quakes[last.next], "map");
    showPile();
  }

  pile.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => stepPile(1), ArrowUp: () => stepPile(-1), Home: () => stepPile(-last.next),
      End: () => stepPile(Math.min(last.quakes.length, pileLimit) - 1 - last.next),
      Enter: () => {
        closePile();
        map.zoomTo(selected);
      },
      Escape: closePile,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  pile.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const option = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".option"));
    if (!option?.dataset.quake) return;
    select(Number(option.dataset.quake), "map");
    closePile();
  });
  // Events on the list of quakes (`pile`) and on the buttons must not reach the map below.
  for (const kind of ["pointerdown", "pointermove", "pointerup", "dblclick", "wheel", "keydown"]) {
    for (const above of [pile, ...box.querySelectorAll(".buttons")]) {
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
    tip.textContent = `${headline(i)} · ${moment.slice(0, 16)} ${zone}${depth === null ? "" : ` · ${lengthText(depth)} deep`}`;
    const { width, tall } = map.size();
    const { offsetWidth, offsetHeight } = tip;
    const left = Math.min(x + 14, width - offsetWidth - 4);
    const top = y + offsetHeight + 22 > tall ? y - offsetHeight - 10 : y + 16;
    tip.style.transform = `translate(${Math.max(left, 4)}px, ${top}px)`;
  }

  const hideTip = () => hover(-1, 0, 0);

  /** Hides the tooltip and the list of quakes (`pile`), which belong to the previous view. */
  function forget() {
    hideTip();
    closePile();
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
  return { selectNearest, forget, hideTip, closePile, quakesAt };
})();
