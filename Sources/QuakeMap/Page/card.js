// @ts-check
// The selected quake: in list, map and address at once, and its card. And the legend of the map.

/** @param {string} tag @param {string} text */
function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/**
 * Selects a quake, or none with -1, in list, map, card and address.
 * @param {number} i @param {"list" | "map" | "address" | "key"} from
 */
function select(i, from) {
  selected = i;
  showCard();
  list.reveal();
  if (i >= 0 && from !== "map") map.reveal(i);
  else map.placeRing();
  if (from !== "address") {
    const address = i >= 0 ? `#${encodeURIComponent(data.id[i])}` : location.pathname + location.search;
    history.replaceState(null, "", address);
  }
}

/**
 * The number of the quake with this id, under any of its ids; -1 without one.
 * @param {string} id
 */
function quakeWithId(id) {
  const wanted = id.toLowerCase();
  const own = data.id.findIndex((one) => one.toLowerCase() === wanted);
  if (own >= 0) return own;
  const other = Object.entries(data.rare.ids).find(([, ids]) => ids.toLowerCase().split(" ").includes(wanted));
  return other ? Number(other[0]) : -1;
}

function selectFromAddress() {
  let id = "";
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    // An address that is not well formed names no quake.
  }
  const wanted = id || (started ? "" : data.selected ?? "");
  const found = wanted ? quakeWithId(wanted) : -1;
  if (found !== selected) select(found, "address");
}

/** @param {string} name @param {any} value */
function valueText(name, value) {
  if (value === null) return "none";
  if (name === "time" || name === "updated") return `${utc(value)} UTC`;
  if (name === "mag") return magnitudeText(value);
  if (name === "depth") return `${short(value)} km`;
  if (name === "tsunami") return value === 1 ? "yes" : "no";
  if (["ids", "sources", "types"].includes(name)) return String(value).split(",").filter(Boolean).join(", ");
  return typeof value === "number" ? String(Math.round(value * 1e4) / 1e4) : String(value);
}

/** @type {Record<string, string>} */
const names = {
  mag: "magnitude", magType: "magnitude type", lat: "latitude", lon: "longitude", felt: "felt reports",
  tsunami: "tsunami flag", sig: "significance", cdi: "reported intensity", mmi: "estimated intensity",
  nst: "stations", dmin: "nearest station", rms: "residual", gap: "azimuthal gap", net: "network",
};

function showCard() {
  const card = byId("card");
  card.hidden = selected < 0;
  if (selected < 0) return card.replaceChildren();
  const i = selected;
  const rare = (/** @type {string} */ name) => data.rare[name]?.[i];
  const close = element("button", "×");
  close.className = "close";
  close.setAttribute("type", "button");
  close.setAttribute("aria-label", "Close");
  close.addEventListener("click", () => select(-1, "key"));
  const facts = document.createElement("dl");
  const fact = (/** @type {string} */ name, /** @type {string} */ text) =>
    facts.append(element("dt", name), element("dd", text));
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  const magType = data.words[data.magType[i]];
  const type = data.words[data.type[i]];
  fact("Time", `${utc(time[i])} UTC`);
  fact("Your time", local.format(time[i]));
  fact("Depth", data.depth[i] === null ? "not given" : `${short(data.depth[i] ?? 0)} km`);
  fact("Magnitude", data.mag[i] === null ? "not given" : `${short(data.mag[i] ?? 0)}${magType ? ` ${magType}` : ""}`);
  const [lat, lon] = [latitude[i], longitude[i]];
  fact(
    "Place",
    `${Math.abs(lat).toFixed(3)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(lon).toFixed(3)}° ${lon < 0 ? "W" : "E"}`);
  if (type && type !== "earthquake") fact("Kind", type);
  if (data.words[data.status[i]]) fact("Review", data.words[data.status[i]]);
  if (rare("felt")) fact("Felt", `${grouped(rare("felt"))} reports`);
  if (rare("mmi")) fact("Intensity", `${rare("mmi")} estimated`);
  if (rare("alert")) fact("Alert", rare("alert"));
  if (rare("tsunami") === 1) fact("Tsunami", "flagged: see tsunami.gov");
  fact("Id", data.id[i]);
  if (rare("ids")) fact("Other ids", rare("ids").replaceAll(" ", ", "));
  const link = document.createElement("a");
  link.href = rare("url") ?? `https://earthquake.usgs.gov/earthquakes/eventpage/${encodeURIComponent(data.id[i])}`;
  link.textContent = "Page at USGS";
  link.rel = "noreferrer";
  const paragraph = document.createElement("p");
  paragraph.append(link);
  const known = document.createElement("div");
  known.append(facts, paragraph);
  card.replaceChildren(element("h2", headline(i)), close, known, ...historyOf(i));
  card.scrollTop = 0;
}

/** @param {number} i @returns {HTMLElement[]} */
function historyOf(i) {
  const revisions = data.history[i];
  if (!revisions) return [];
  const steps = document.createElement("ol");
  let seen = time[i];
  for (const [later, reason, ...changes] of revisions) {
    seen += later;
    const step = document.createElement("li");
    steps.prepend(step);
    step.append(element("time", `${utc(seen).slice(0, 16)} `), element("b", data.words[reason]));
    if (changes.length === 0) continue;
    const values = step.appendChild(document.createElement("ul"));
    for (const [property, before, after] of changes) {
      const name = data.words[property];
      values.append(
        element("li", `${names[name] ?? name} ${valueText(name, before)} → ${valueText(name, after)}`));
    }
  }
  const section = document.createElement("div");
  section.append(element("h3", "History (UTC)"), steps);
  return [section];
}

/** @param {string} by depth or age */
function drawLegend(by) {
  const legend = byId("legend");
  const sizes = document.createElement("div");
  sizes.className = "sizes";
  sizes.append(element("b", "Magnitude"));
  for (const magnitude of [2, 4, 5, 6, 7]) {
    const size = sizes.appendChild(element("span", ""));
    size.className = "size";
    const circle = size.appendChild(element("i", ""));
    circle.style.width = circle.style.height = `${2 * radiusOfMagnitude(magnitude)}px`;
    size.append(String(magnitude));
  }
  const colors = document.createElement("div");
  colors.className = "colors";
  colors.append(element("b", by === "age" ? "Past" : "Depth, km"));
  const steps = by === "age" ? ages.map(({ color, label }) => [null, color, label]) : data.depths;
  for (const [, color, label] of steps) {
    const step = colors.appendChild(element("span", ""));
    const swatch = step.appendChild(element("i", ""));
    swatch.style.background = String(color);
    step.append(String(label));
  }
  legend.replaceChildren(sizes, colors);
}
