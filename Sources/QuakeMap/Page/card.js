// @ts-check
// The selection, and the card of the selected quake.

/**
 * Selects a quake in the list, on the map, in the card and in the URL; -1 clears the selection.
 * @param {number} i @param {"list" | "map" | "url" | "key"} from
 */
function select(i, from) {
  selected = i;
  showCard();
  list.reveal();
  if (i >= 0 && (from !== "map" || map.isCovered(i))) map.reveal(i);
  else map.placeRing();
  map.drawNames();
  scheduleURLUpdate();
}

/** @param {string} text @param {() => void} action */
function makeButton(text, action) {
  const button = element("button", text);
  button.setAttribute("type", "button");
  button.addEventListener("click", action);
  return button;
}

function showCard() {
  const card = byId("card");
  card.hidden = selected < 0;
  if (selected < 0) return card.replaceChildren();
  const i = selected;
  const rare = (/** @type {string} */ name) => data.rare[name]?.[i];
  const close = makeButton("×", () => select(-1, "key"));
  close.className = "close";
  close.setAttribute("aria-label", "Close");
  const [impact, facts] = [element("dl", "", "impact"), element("dl")];
  const adder = (/** @type {HTMLElement} */ to) => (/** @type {string} */ name, /** @type {(string | Node)[]} */ ...content) => {
    const value = document.createElement("dd");
    value.append(...content);
    to.append(element("dt", name), " ", value, " ");
  };
  // The effects of a quake come before its other facts.
  const felt = adder(impact);
  const words = (/** @type {number} */ intensity) => intensityChip(intensity, intensityText(intensity));
  if (rare("mmi") !== undefined) felt("ShakeMap", "max MMI ", words(rare("mmi")));
  const reports = rare("felt") ? [`${grouped(rare("felt"))} ${rare("felt") === 1 ? "report" : "reports"}`] : [];
  const strongest = rare("cdi") === undefined ? [] : [reports.length ? ", max CDI " : "max CDI ", words(rare("cdi"))];
  if (reports.length || strongest.length) felt("Felt (DYFI)", ...reports, ...strongest);
  if (rare("alert")) felt("PAGER alert", element("span", rare("alert"), `badge ${rare("alert")}`));
  if (rare("tsunami") === 1) felt("Tsunami", "flag set; see tsunami.gov");
  const estimated = estimatedIntensity(i);
  const site = nearestSite(data.sites ?? [], i);
  if (site && estimated !== null) felt("Estimated intensity", words(estimated), ` at ${site[2]}`);
  const fact = adder(facts);
  fact("Time", timeInZone(time[i], i, "UTC").join(" "));
  const zone = zoneChoice.value === "UTC" ? "local" : zoneChoice.value;
  const [local, name] = timeInZone(time[i], i, zone);
  if (name !== "UTC") {
    const usual = zone === "quake" ? "Approximate time at the quake" : "Your time";
    fact(zone.includes("/") ? `Time in ${cityOfZone(zone)}` : usual, `${local} ${name}`);
  }
  const magType = data.words[data.magType[i]];
  fact("Depth", data.depth[i] === null ? "unknown" : lengthText(data.depth[i] ?? 0));
  fact("Magnitude", data.mag[i] === null ? "unknown" : `${roundedText(data.mag[i] ?? 0)}${magType ? ` ${magType}` : ""}`);
  const [lat, lon] = [latitude[i], longitude[i]];
  fact("Coordinates", `${latitudeText(lat, 3)}, ${longitudeText(lon, 3)}`, copyButton("coordinates", `${lat.toFixed(4)}, ${lon.toFixed(4)}`));
  const way = (/** @type {number} */ from, /** @type {number} */ east) =>
    `${lengthText(distanceBetween(from, east, lat, lon), 0)} ${compassBetween(from, east, lat, lon)}`;
  const city = data.cities[data.city[i] ?? -1];
  if (city) fact("Nearest city", `${way(city[1], city[2])} of ${city[0]}`);
  const center = nearestSite(data.centers ?? [], i);
  if (center) fact(`Distance from ${center[2] || "center"}`, way(center[0], center[1]));
  if (data.home) fact("Distance from home", way(...data.home));
  if (kindOf(i)) fact("Event type", data.words[data.type[i]]);
  if (data.words[data.status[i]]) fact("Status", data.words[data.status[i]]);
  fact("ID", data.id[i], copyButton("ID", data.id[i]));
  if (rare("ids")) fact("Other IDs", rare("ids").replaceAll(" ", ", "));
  const link = document.createElement("a");
  link.href = rare("url") ?? `https://earthquake.usgs.gov/earthquakes/eventpage/${encodeURIComponent(data.id[i])}`;
  link.textContent = "USGS event page";
  link.rel = "noreferrer";
  const links = element("div", "", "links");
  links.append(
    makeButton("Show on map", () => map.zoomTo(i)), " ",
    makeButton("Nearby quakes", () => {
      showNeighbors({ lat: latitude[i], lon: longitude[i], name: `M ${magnitudeText(data.mag[i])} ${data.id[i]}` });
      map.goTo(longitude[i], height[i], neighborScale(i));
    }), " ", link);
  const unknown = isPresent[i] ? [] : [element("p", replay.isOn() ? "Not on this map at that time." : "No longer on this map.", "gone")];
  card.replaceChildren(element("h2", headline(i)), close, ...unknown, impact, facts, links, ...solutionsOf(i), ...historyOf(i));
  card.scrollTop = 0;
}

/**
 * Returns the zoom at which the circle of "Nearby quakes" fills the map.
 * @param {number} i
 */
function neighborScale(i) {
  const { width, tall } = map.size();
  return (Math.min(width, tall) / 2 / (neighborRadius * 1.15)) * 111.195 * Math.cos(Math.min(Math.abs(latitude[i]), 60) * radians);
}

/**
 * Copies a text to the clipboard.
 * @param {string} text @param {HTMLElement} button its label confirms the copy for two seconds
 */
async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page opened from a file may lack permission, so use the older method.
    const field = document.body.appendChild(document.createElement("textarea"));
    field.value = text;
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const name = button.textContent;
  button.textContent = "Copied";
  if (name !== "Copied") setTimeout(() => (button.textContent = name), 2000);
}

/** @param {string} what @param {string} text */
function copyButton(what, text) {
  const button = makeButton("Copy", () => copyText(text, button));
  button.className = "copy";
  button.setAttribute("aria-label", `Copy ${what}`);
  return button;
}

/**
 * Returns the revision history for the card; nothing without revisions.
 * @param {number} i @returns {HTMLElement[]}
 */
function historyOf(i) {
  const revisions = data.history[i];
  if (!revisions) return [];
  const steps = document.createElement("ol");
  const known = replay.knownRevisions(i);
  let recorded = originTimes[i];
  revisions.forEach(([later, reason, published, ...changes], k) => {
    recorded += later;
    // Solutions published before the first snapshot are in the section above (`solutionsOf`).
    if (k >= known || data.words[reason] === solutionReason) return;
    const step = document.createElement("li");
    steps.prepend(step);
    step.append(element("time", minuteText(recorded)), " ", element("b", reasonText(data.words[reason])));
    if (published !== null) step.append(element("small", `, published ${minuteText(recorded + published)}`));
    if (changes.length === 0 || (k > 0 && data.words[revisions[k - 1][1]] === solutionReason)) return;
    const values = step.appendChild(document.createElement("ul"));
    for (const [property, before, after] of changes) {
      const name = data.words[property];
      const [former, present] = valueTexts(name, before, after);
      // Values that look the same differ only in their notation.
      if (name === "city" || former === present) continue;
      values.append(element("li", `${valueNames[name] ?? name} ${former} → ${present}`));
    }
  });
  const section = document.createElement("div");
  section.append(element("h3", `Revision history, as received from USGS (${zoneTitle()})`), steps);
  const later = revisions.slice(known).filter(([, reason]) => data.words[reason] !== solutionReason).length;
  if (later > 0) section.append(element("p", `${later} later ${later === 1 ? "change" : "changes"} not shown`));
  return [section];
}
/** The present origin times; `time` follows a replay. */
const originTimes = Float64Array.from(time);

/** Returns the name of the time zone for headings. */
function zoneTitle() {
  const zone = zoneChoice.value;
  return zone === "quake" ? "UTC" : zone === "local" ? "local time" : zone.replaceAll("_", " ");
}
