// @ts-check
// The list of the shown quakes.

/** The list. The page contains only the rows that are visible, and some above and below. */
const list = (() => {
  const scroller = byId("scroll");
  const table = byId("table");
  const label = table.ariaLabel;
  const dayLine = byId("day");
  const buttons = [...byId("sorts").querySelectorAll("button")];
  const printLimit = 5000;
  const lineHeight = 18;
  const dayHeight = 22;
  let rowHeight = 40;
  /** The width of a line for names, in pixels. */
  let room = 280;
  /** The top of each shown row, followed by the total height. */
  let tops = new Float64Array(1);
  /**
   * The number of the first row of each day, and the day (`dayFinder`); empty if the list is not sorted by time.
   * @type {{ number: number, day: number }[]}
   */
  let days = [];
  let sortColumn = isSortedByTime() ? "time" : "";
  let isDescending = true;

  function isSortedByTime() {
    for (let i = 1; i < data.present; i++) if (time[i] > time[i - 1]) return false;
    return true;
  }

  const pen = document.createElement("canvas").getContext("2d");
  /** The widths of letters, each measured once, because there are too many names to measure. */
  const letters = new Float32Array(65536);
  /** @param {string} text */
  function widthOf(text) {
    let width = 0;
    for (let k = 0; k < text.length; k++) width += letters[text.charCodeAt(k)] ||= pen?.measureText(text[k]).width ?? 0;
    return width;
  }

  /**
   * Returns the number of lines that the name of a quake takes up.
   * @param {number} i
   */
  function nameLines(i) {
    if (lineCounts[i]) return lineCounts[i];
    const name = placeOf(i);
    // Most names are so short that their letters need not be measured.
    if (name.length * 9 <= room) return (lineCounts[i] = 1);
    let lines = 1;
    if (widthOf(name) > room) {
      let left = room;
      for (const word of name.split(" ")) {
        const width = widthOf(word);
        if (width > left && left < room) {
          lines++;
          left = room;
        }
        // A word longer than a line is broken.
        lines += Math.floor(width / (room + 0.1));
        left -= (width % room) + letters[32];
      }
    }
    return (lineCounts[i] = lines);
  }

  /** Computes the positions of the rows after the shown quakes or the width have changed. */
  function arrange() {
    tops = new Float64Array(shown.length + 1);
    days = [];
    // In the local times of the quakes, sorting by time does not sort by day.
    const byDay = sortColumn === "time" && zoneChoice.value !== "quake";
    const dayOf = dayFinder();
    let top = 0;
    let current = NaN;
    for (let number = 0; number < shown.length; number++) {
      const i = shown[number];
      tops[number] = top;
      const day = byDay ? dayOf(time[i]) : NaN;
      if (byDay && day !== current) {
        // The heading of the first day is above the list.
        if (days.length) top += dayHeight;
        days.push({ number, day });
        current = day;
      }
      top += rowHeight + (nameLines(i) - 1) * lineHeight;
    }
    tops[shown.length] = top;
    table.ariaLabel = label.replace(".", `: ${grouped(shown.length)}.`);
    dayLine.hidden = !days.length;
  }

  /**
   * Returns the index of the last of the sorted values that is not greater than `wanted`.
   * @param {number} length @param {(k: number) => number} value @param {number} wanted
   */
  function lastUpTo(length, value, wanted) {
    let [low, high] = [0, length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (value(middle) <= wanted) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  const rowAt = (/** @type {number} */ y) => lastUpTo(shown.length, (k) => tops[k], y);
  const dayAt = (/** @type {number} */ number) => lastUpTo(days.length, (k) => days[k].number, number);

  /** @param {number} k an index in `days` */
  function dayText(k) {
    const { number, day } = days[k];
    const quakes = (days[k + 1]?.number ?? shown.length) - number;
    return `${dayWords(day)} · ${grouped(quakes)} ${quakes === 1 ? "quake" : "quakes"}`;
  }

  /** @param {string} className @param {string} text @param {string} title */
  function chip(className, text, title) {
    const made = element("span", text, className);
    made.title = title;
    return made;
  }

  /**
   * Creates a row of two lines: magnitude and place, with details below the place.
   * @param {number} number its position in the list
   */
  function makeRow(number) {
    const i = shown[number];
    const row = element("div", "", "row");
    row.id = `row-${i}`;
    row.dataset.quake = String(i);
    row.setAttribute("role", "option");
    row.ariaPosInSet = String(number + 1);
    row.ariaSetSize = String(shown.length);
    row.ariaSelected = String(i === selected);
    row.style.height = `${rowHeight + (nameLines(i) - 1) * lineHeight}px`;
    const magnitude = element("span", magnitudeText(data.mag[i]), "pill");
    const color = colorOfClass(classOf(i, byId("color").value));
    const size = data.mag[i] ?? 0;
    // Small quakes recede: only their outlines have the color.
    magnitude.style.cssText = `border-color:${color};font-size:${Math.min(Math.max(9.5 + size, 11), 17)}px;${
      size < 2.5 ? "" : `background:${color};color:${inkOn(color)}`}`;
    magnitude.classList.toggle("large", size >= 4.5);
    magnitude.classList.toggle("great", (data.rare.sig[i] ?? 0) >= 600);
    const [date, clock] = timeInZone(time[i], i)[0].split(" ");
    const parts = [clock.slice(0, 5)];
    if (!days.length) parts[0] = `${isOneYear() ? date.slice(5) : date} ${parts[0]}`;
    const depth = data.depth[i];
    if (depth !== null) parts.push(lengthText(depth, 0));
    const away = references.length ? lengthText(distanceFromReference(i), 0) : "";
    if (away) parts.push(`${away} away`);
    const facts = element("span", parts.join(" · "), "facts");
    const intensity = intensityOf(i);
    if (intensity !== null) facts.append(" · ", intensityChip(intensity, romanNumeral(intensity)));
    const all = badges(i);
    if (all.length) {
      const marks = element("span", "", "marks");
      marks.append(...all.flatMap((one) => [" ", one]));
      facts.append(marks);
    }
    // Screen readers read the label. The spaces between the elements below are for copied text.
    row.ariaLabel = [
      headline(i), timeInZone(time[i], i).join(" "), depth === null ? "" : `depth ${lengthText(depth, 0)}`, away && `${away} away`,
      intensity === null ? "" : `intensity ${intensityText(intensity)}`, ...all.map((one) => one.title),
    ].filter(Boolean).join(", ");
    row.append(magnitude, " ", element("span", placeOf(i), "name"), " ", facts);
    return row;
  }

  /**
   * Returns badges for rare values: PAGER's color, felt reports, a ShakeMap, a tsunami flag.
   * @param {number} i
   */
  function badges(i) {
    const { alert, felt, mmi, tsunami } = data.rare;
    const made = [];
    if (["green", "yellow", "orange", "red"].includes(alert[i])) made.push(chip(`badge ${alert[i]}`, "P", `PAGER alert ${alert[i]}`));
    if (tsunami[i] === 1) made.push(chip("badge tsunami", "T", "Tsunami flag"));
    if (mmi[i] !== undefined) made.push(chip("badge", "S", "ShakeMap"));
    if (felt[i]) made.push(chip("badge", String(felt[i]), `${grouped(felt[i])} felt ${felt[i] === 1 ? "report" : "reports"}`));
    return made;
  }

  /** @param {number} height */
  function space(height) {
    const made = element("div");
    made.style.height = `${height}px`;
    return made;
  }

  function show() {
    const top = Math.max(scroller.scrollTop - 6 * rowHeight, 0);
    const bottom = scroller.scrollTop + scroller.clientHeight + 6 * rowHeight;
    const first = isOnPaper ? 0 : rowAt(top);
    const end = isOnPaper ? Math.min(printLimit, shown.length) : Math.min(rowAt(bottom) + 1, shown.length);
    const rows = [];
    if (first > 0) rows.push(space(tops[first]));
    let day = days.length ? dayAt(first) : 0;
    if (days[day]?.number !== first) day++;
    for (let number = first; number < end; number++) {
      if (days[day]?.number === number) {
        if (number > 0 || isOnPaper) {
          const heading = element("div", dayText(day), "day");
          heading.ariaHidden = "true";
          rows.push(heading);
        }
        day++;
      }
      rows.push(makeRow(number));
    }
    byId("print-note").textContent =
      end < shown.length ? `The first ${grouped(printLimit)} of ${grouped(shown.length)} quakes.` : "";
    if (end < shown.length && !isOnPaper) rows.push(space(tops[shown.length] - tops[end]));
    table.replaceChildren(...rows);
    if (days.length) dayLine.textContent = dayText(dayAt(rowAt(scroller.scrollTop)));
    const active = selected >= 0 && byId(`row-${selected}`);
    if (active) table.setAttribute("aria-activedescendant", active.id);
    else table.removeAttribute("aria-activedescendant");
  }

  function refresh() {
    arrange();
    show();
  }

  /** Measures the width of the list and the height of its rows. */
  function measure() {
    if (!scroller.clientWidth) return;
    const { fontSize, fontFamily } = getComputedStyle(table);
    if (pen) pen.font = `${fontSize} ${fontFamily}`;
    const [wide, high] = [scroller.clientWidth - 60, parseInt(getComputedStyle(document.documentElement).getPropertyValue("--size"))];
    if (wide === room && high === rowHeight) return;
    [room, rowHeight] = [wide, high];
    lineCounts.fill(0);
    letters.fill(0);
  }

  /** Scrolls the selected quake into view. */
  function reveal() {
    const number = shown.indexOf(selected);
    if (number >= 0) {
      const height = scroller.clientHeight - (days.length ? dayHeight : 0);
      const hidden = Math.max(scroller.scrollTop - tops[number], tops[number + 1] - scroller.scrollTop - height);
      // The list scrolls just far enough for a nearby quake, and centers a distant one.
      if (hidden > 2 * rowHeight) scroller.scrollTop = tops[number] - height / 2;
      else if (tops[number] < scroller.scrollTop) scroller.scrollTop = tops[number];
      else if (hidden > 0) scroller.scrollTop += hidden;
    }
    show();
  }

  /**
   * Marks the row of the quake under the pointer on the map; -1 for none.
   * @param {number} i
   */
  function point(i) {
    table.querySelector(".pointed")?.classList.remove("pointed");
    byId(`row-${i}`)?.classList.add("pointed");
  }

  /** @type {Record<string, (i: number) => number>} */
  const sortKeys = {
    time: (i) => time[i],
    mag: (i) => data.mag[i] ?? -Infinity,
    depth: (i) => data.depth[i] ?? -Infinity,
    place: (i) => placeRank()[i],
    felt: (i) => data.rare.felt[i] ?? 0,
    distance: distanceFromReference,
  };
  byId("sorts").querySelector("[data-column=distance]").hidden = !references.length;

  /** @type {Uint32Array | null} */
  let ranks = null;
  /** Returns the rank of each quake by place, computed once because comparing numbers is cheap. */
  function placeRank() {
    if (!ranks) {
      const collator = new Intl.Collator("en", { numeric: true });
      ranks = new Uint32Array(count);
      const sorted = Array.from(time.keys()).sort((a, b) => collator.compare(placeOf(a), placeOf(b)));
      for (let k = 0; k < count; k++) ranks[sorted[k]] = k;
    }
    return ranks;
  }

  /** @param {string} column @param {boolean} down */
  function sort(column, down) {
    isDescending = down;
    sortColumn = column;
    // Each value is computed once, because comparing numbers is cheap.
    const values = Float64Array.from(time, (_, i) => sortKeys[column]?.(i) ?? 0);
    const sign = isDescending ? -1 : 1;
    order = Uint32Array.from(time.keys()).sort((a, b) => sign * (values[a] - values[b]) || a - b);
    scroller.scrollTop = 0;
    markSorted();
    update();
  }

  function markSorted() {
    for (const button of buttons) {
      const isSorted = button.dataset.column === sortColumn;
      button.ariaPressed = String(isSorted);
      button.classList.toggle("down", isSorted && isDescending);
      button.classList.toggle("up", isSorted && !isDescending);
      // The sort direction is announced, but is not part of the name.
      if (isSorted) button.setAttribute("aria-describedby", "direction");
      else button.removeAttribute("aria-describedby");
    }
    byId("direction").textContent = isDescending ? "descending" : "ascending";
  }

  scroller.addEventListener("scroll", () => {
    pointing.hideTip();
    requestAnimationFrame(show);
  }, { passive: true });
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const { column } = button.dataset;
      sort(column, column === sortColumn ? !isDescending : column !== "place" && column !== "distance");
    });
  }
  // Explains the badges that occur.
  const badgeWords = [["alert", "P: PAGER"], ["tsunami", "T: tsunami flag"], ["mmi", "S: ShakeMap"], ["felt", "number: felt reports"]];
  const explained = badgeWords.filter(([name]) => Object.keys(data.rare[name]).length).map(([, words]) => words);
  byId("badge-note").textContent = explained.join(" · ");
  byId("badge-note").hidden = !explained.length;

  const defaultColumn = sortColumn;
  urlParts.set("sort", {
    get: () => (sortColumn === defaultColumn && isDescending ? null : `${isDescending ? "-" : ""}${sortColumn}`),
    set(text) {
      const down = text === null || text.startsWith("-");
      const column = text === null ? defaultColumn : text.replace("-", "");
      if (column === sortColumn && down === isDescending) return;
      if (Object.hasOwn(sortKeys, column) || column === defaultColumn) sort(column, down);
    },
  });
  const quakeOf = (/** @type {Event} */ event) =>
    Number(/** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".row"))?.dataset.quake ?? -1);
  for (const [kind, action] of /** @type {const} */ ([["click", select], ["dblclick", (/** @type {number} */ i) => map.zoomTo(i)]])) {
    table.addEventListener(kind, (/** @type {MouseEvent} */ event) => {
      if (quakeOf(event) >= 0) action(quakeOf(event), "list");
    });
  }
  table.addEventListener("pointerover", (/** @type {Event} */ event) => map.point(quakeOf(event)));
  table.addEventListener("pointerleave", () => map.point(-1));
  table.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const page = Math.max(Math.floor(scroller.clientHeight / rowHeight) - 1, 1);
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
  markSorted();
  return { show, refresh, reveal, measure, point, scroller };
})();
