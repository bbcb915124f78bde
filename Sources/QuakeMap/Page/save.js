// @ts-check
// The menus: saving the shown quakes to a file (without a request), copying a link, and printing.

/** The columns, with a function for the value of each. */
const savedFields = /** @type {Record<string, (i: number) => string | number | null>} */ ({
  id: (i) => data.id[i], time: (i) => new Date(time[i]).toISOString(), lat: (i) => latitude[i], lon: (i) => longitude[i],
  depth: (i) => data.depth[i], mag: (i) => data.mag[i], place: (i) => data.place[i], type: (i) => kindOf(i) || "earthquake",
});

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
  const quoted = (/** @type {string | number | null} */ value) => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) || (value !== null && text === "") ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [...shown].map((i) => Object.values(savedFields).map((field) => quoted(field(i))).join(","));
  return `${[Object.keys(savedFields).join(","), ...lines].join("\n")}\n`;
}

function shownAsGeoJSON() {
  const features = [...shown].map((i) => {
    const { id, lat, lon, depth, ...properties } = savedFields;
    const height = depth(i);
    const values = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field(i)]));
    const coordinates = height === null ? [lon(i), lat(i)] : [lon(i), lat(i), height];
    return {
      type: "Feature", id: id(i), properties: { ...values, time: time[i] }, geometry: { type: "Point", coordinates },
    };
  });
  return JSON.stringify({ type: "FeatureCollection", metadata: { title: document.title, count: features.length }, features });
}

byId("save-csv").addEventListener("click", () => saveFile("quakes.csv", shownAsCSV(), "text/csv"));
byId("save-geojson").addEventListener("click", () => saveFile("quakes.geojson", shownAsGeoJSON(), "application/geo+json"));
byId("print").addEventListener("click", () => print());
byId("copy-link").addEventListener("click", () => {
  writeAddress();
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
    // The address describes what is shown, not a position in the page.
    event.preventDefault();
    byId((link.getAttribute("href") ?? "").slice(1)).focus();
  });
}
