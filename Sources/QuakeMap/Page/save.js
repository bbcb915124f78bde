// @ts-check
// The menus, and what they do: save the shown quakes to a file without a request, copy a link, and print.

/** @type {any} */
let savedValues = null;

/**
 * Returns the properties of a quake at the shown moment, in the order of `quakes list --format csv`.
 * SavedFileData.swift documents the data block.
 * @param {number} i @returns {Record<string, any>}
 */
function savedRecord(i) {
  savedValues ??= JSON.parse(byId("saved").textContent);
  const { names, rare, sets, kind, kinds, words, updated, ...columns } = savedValues;
  const known = /** @type {any} */ (data);
  /** @type {Record<string, any>} */
  const record = {};
  for (const name of names) record[name] = (columns[name] ?? known[name] ?? data.rare[name])?.[i] ?? null;
  for (const name of ["magType", "type", "status"]) record[name] = data.words[record[name]] || null;
  record.time = time[i];
  record.updated = originTimes[i] + updated[i];
  record.tsunami ??= 0;
  record.ids = record.title = record.url = null;
  for (const name of ["lat", "lon"]) record[name] /= 1e4;
  sets.forEach((/** @type {string} */ name, /** @type {number} */ k) => (record[name] = words[kinds[kind[i]][k]]));
  Object.assign(record, rare[i]);
  const revisions = data.history[i] ?? [];
  for (let k = revisions.length - 1; k >= replay.knownRevisions(i); k--) {
    for (const [word, before] of revisions[k].slice(3)) {
      if (data.words[word] in record) record[data.words[word]] = before;
    }
    record.title = null;
  }
  for (const name of ["lat", "lon"]) record[name] = Math.round(record[name] * 1e4) / 1e4;
  // The other properties are derived.
  const { id, net, mag, place } = record;
  record.code = id.slice(net.length);
  record.ids ??= `,${id},`;
  record.title ??= `M ${magnitudeText(mag).replace("−", "-")} ${kindOf(i) && `${kindOf(i)} `}- ${place ?? ""}`;
  const site = "https://earthquake.usgs.gov/earthquakes/";
  record.url ??= `${site}eventpage/${id}`;
  record.detail ??= `${site}feed/v1.0/detail/${id}.geojson`;
  return record;
}

/** @param {string} name @param {string} text @param {string} type */
function saveFile(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The download has started, so the memory can be freed.
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function shownAsCSV() {
  const cell = (/** @type {[string, any]} */ [name, value]) => {
    if (value === null) return "";
    if (name === "time" || name === "updated") return new Date(value).toISOString();
    const text = /^(ids|sources|types)$/.test(name) ? value.split(",").filter(Boolean).join(" ") : String(value);
    return /[",\r\n]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = Array.from(shown, (i) => Object.entries(savedRecord(i)).map(cell));
  return `${[savedValues.names, ...rows].join("\n")}\n`;
}

function shownAsGeoJSON() {
  const features = Array.from(shown, (i) => {
    const { id, lat, lon, depth, extra, ...values } = savedRecord(i);
    const coordinates = depth === null ? [lon, lat] : [lon, lat, depth];
    const properties = { ...values, ...JSON.parse(extra ?? "{}") };
    return { type: "Feature", id, properties, geometry: { type: "Point", coordinates } };
  });
  return JSON.stringify({ type: "FeatureCollection", metadata: { title: document.title, count: features.length }, features });
}

byId("save-csv").addEventListener("click", () => saveFile("quakes.csv", shownAsCSV(), "text/csv"));
byId("save-geojson").addEventListener("click", () => saveFile("quakes.geojson", shownAsGeoJSON(), "application/geo+json"));
byId("print").addEventListener("click", () => print());
byId("copy-link").addEventListener("click", () => {
  writeURL();
  copyText(location.href, byId("copy-link"));
});

const menus = [...document.querySelectorAll("details.menu")].map((menu) => /** @type {HTMLDetailsElement} */ (menu));
for (const menu of menus) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
    event.stopPropagation();
  });
}
addEventListener("pointerdown", (event) => {
  const target = /** @type {Element} */ (event.target);
  for (const menu of menus) if (!(menu.id === "more" ? byId("filters") : menu).contains(target)) menu.open = false;
});
for (const link of document.querySelectorAll("#skips a")) {
  link.addEventListener("click", (event) => {
    // The fragment of the URL describes what is shown, not a position in the page.
    event.preventDefault();
    byId((link.getAttribute("href") ?? "").slice(1)).focus();
  });
}
