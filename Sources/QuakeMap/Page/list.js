// @ts-check
// The list of the shown quakes.

/** The table. The page contains only the visible rows and some around them. */
const list = (() => {
  const scroller = byId("scroll");
  const table = byId("table");
  const body = byId("rows");
  const head = table.tHead;
  const printLimit = 500;
  let rowHeight = 44;
  let firstRow = 0;
  let sortColumn = isSortedByTime() ? "time" : "";
  let isDescending = true;
  let isPrinting = false;

  function isSortedByTime() {
    for (let i = 1; i < data.present; i++) if (time[i] > time[i - 1]) return false;
    return true;
  }

  /** @param {number} height */
  function spacer(height) {
    const row = document.createElement("tr");
    row.className = "space";
    row.setAttribute("aria-hidden", "true");
    const cell = row.appendChild(document.createElement("td"));
    cell.colSpan = columns();
    cell.style.height = `${height}px`;
    return row;
  }

  const columns = () => (table.classList.contains("unfelt") ? 4 : 5);

  /**
   * Creates a row of two lines: magnitude and place, with details below the place.
   * @param {number} number its position in the list
   */
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
    const moment = timeInZone(time[i], i)[0];
    const year = element("span", moment.slice(0, -14), "year");
    const intensity = intensityOf(i);
    cell(isLarge ? "mag large" : "mag", magnitudeText(data.mag[i]));
    const when = element("span", "", "when");
    when.append(year, moment.slice(-14, -3));
    const facts = element("div", "", "facts");
    facts.append(when);
    if (depth !== null) facts.append(element("span", lengthText(depth, 0), "depth"));
    if (intensity !== null) {
      const felt = element("span", romanNumeral(intensity), "felt");
      felt.title = `Intensity ${intensityText(intensity)}`;
      facts.append(felt);
    }
    facts.append(...badges(i));
    cell("where", element("div", placeOf(i), "name"), facts).colSpan = columns() - 1;
    return row;
  }

  /**
   * Returns badges for rare values: PAGER's color, felt reports, a ShakeMap, a tsunami flag.
   * @param {number} i
   */
  function badges(i) {
    /** @type {HTMLElement[]} */
    const made = [];
    const badge = (/** @type {string} */ kind, /** @type {string} */ text, /** @type {string} */ words) => {
      const mark = element("span", text, `badge ${kind}`);
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", words);
      mark.title = words;
      made.push(mark);
    };
    const { alert, felt, mmi, tsunami } = data.rare;
    if (["green", "yellow", "orange", "red"].includes(alert[i])) badge(alert[i], "P", `PAGER ${alert[i]}`);
    if (tsunami[i] === 1) badge("tsunami", "T", "Tsunami flag");
    if (mmi[i] !== undefined) badge("shake", "S", "ShakeMap");
    if (felt[i]) badge("reports", String(felt[i]), `Felt: ${grouped(felt[i])} ${felt[i] === 1 ? "report" : "reports"}`);
    return made;
  }

  function nameZone() {
    // The year needs no space in the rows if it is the same in all, nor does the intensity if no quake was felt.
    const years = [firstTime, lastTime].map((moment) => timeInZone(moment, -1)[0].slice(0, -15));
    table.classList.toggle("one-year", years[0] === years[1]);
    table.classList.toggle("unfelt", !Object.keys(data.rare.mmi).length && !Object.keys(data.rare.cdi).length);
    const zone = zoneChoice.value === "quake" ? "there" : zoneChoice.value === "local" ? "local" : zoneChoice.value;
    head.querySelector("[data-column=time]").textContent = `Time (${cityOfZone(zone)})`;
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

  /** The width of the widest place, in pixels. */
  let longest = 0;
  function longestPlace() {
    if (longest) return longest;
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) return Infinity;
    const { fontSize, fontFamily } = getComputedStyle(table);
    pen.font = `${fontSize} ${fontFamily}`;
    const places = Array.from(time.keys(), placeOf);
    const most = places.reduce((length, place) => Math.max(length, place.length), 0);
    // A place with half as many letters is never the widest.
    for (const place of places) {
      if (place.length * 2 > most) longest = Math.max(longest, pen.measureText(place).width);
    }
    return longest;
  }

  function measure() {
    const name = body.querySelector(".name");
    if (!name?.clientWidth) return;
    // One extra pixel allows for the browser's rounding.
    table.classList.toggle("tall", longestPlace() + 1 > name.clientWidth);
    const row = body.querySelector("tr:not(.space)");
    const height = row?.getBoundingClientRect().height || rowHeight;
    if (height === rowHeight) return;
    rowHeight = height;
    show();
  }

  /** Scrolls the selected quake into view. */
  function reveal() {
    const number = shown.indexOf(selected);
    if (number >= 0) {
      const top = number * rowHeight;
      const room = scroller.clientHeight - head.offsetHeight;
      const hidden = Math.max(scroller.scrollTop - top, top + rowHeight - scroller.scrollTop - room);
      // A quake one row away scrolls by a row; a distant quake is centered.
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
    felt: (a, b) => (intensityOf(a) ?? -1) - (intensityOf(b) ?? -1),
  };

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
    const compare = comparisons[column];
    const sign = isDescending ? -1 : 1;
    order = compare
      ? Uint32Array.from(time.keys()).sort((a, b) => sign * compare(a, b) || a - b) : Uint32Array.from(time.keys());
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

  scroller.addEventListener("scroll", () => {
    pointing.hideTip();
    requestAnimationFrame(show);
  }, { passive: true });
  for (const button of head.querySelectorAll("button")) {
    button.tabIndex = 0;
    button.addEventListener("click", () => {
      const column = button.dataset.column;
      sort(column, column === sortColumn ? !isDescending : column !== "place");
    });
  }
  const usualColumn = sortColumn;
  addressParts.set("sort", {
    get: () => (sortColumn === usualColumn && isDescending ? null : `${isDescending ? "-" : ""}${sortColumn}`),
    set(text) {
      const down = text === null || text.startsWith("-");
      const column = text === null ? usualColumn : text.replace("-", "");
      if (column === sortColumn && down === isDescending) return;
      if (column in comparisons || column === usualColumn) sort(column, down);
    },
  });
  for (const [kind, action] of /** @type {const} */ ([["click", select], ["dblclick", (/** @type {number} */ i) => map.zoomTo(i)]])) {
    body.addEventListener(kind, (/** @type {MouseEvent} */ event) => {
      const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("tr"));
      if (row?.dataset.quake) action(Number(row.dataset.quake), "list");
    });
  }
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
  return { show, reveal, measure, nameZone, resort: () => sort(sortColumn, isDescending), scroller };
})();
