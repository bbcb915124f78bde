// @ts-check
// The selected quake, in the list, on the map and in the address, and its card.

/**
 * Selects a quake in the list, map, card and address; -1 clears the selection.
 * @param {number} i @param {"list" | "map" | "address" | "key"} from
 */
function select(i, from) {
  selected = i;
  showCard();
  list.reveal();
  if (i >= 0 && from !== "map") map.reveal(i);
  else map.placeRing();
  map.drawNames();
  noteAddress();
}

/** @param {string} text @param {() => void} action */
function buttonOf(text, action) {
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
  const close = buttonOf("×", () => select(-1, "key"));
  close.className = "close";
  close.setAttribute("aria-label", "Close");
  const actions = element("div", "", "actions");
  actions.append(
    buttonOf("Show on map", () => map.zoomTo(i)),
    buttonOf("Neighbors", () => {
      showNeighbors({ lat: latitude[i], lon: longitude[i], name: `M ${magnitudeText(data.mag[i])} ${data.id[i]}` });
      map.goTo(longitude[i], height[i], neighborScale(i));
    }));
  const facts = document.createElement("dl");
  const fact = (/** @type {string} */ name, /** @type {(string | Node)[]} */ ...content) => {
    const value = document.createElement("dd");
    value.append(...content);
    facts.append(element("dt", name), value);
  };
  const magType = data.words[data.magType[i]];
  fact("Time", timeInZone(time[i], i, "UTC").join(" "));
  const zone = zoneChoice.value === "UTC" ? "local" : zoneChoice.value;
  const [local, name] = timeInZone(time[i], i, zone);
  if (name !== "UTC") fact(zone === "quake" ? "Approximate local time" : "Local time", `${local} ${name}`);
  fact("Depth", data.depth[i] === null ? "unknown" : lengthText(data.depth[i] ?? 0));
  fact("Magnitude", data.mag[i] === null ? "unknown" : `${short(data.mag[i] ?? 0)}${magType ? ` ${magType}` : ""}`);
  const [lat, lon] = [latitude[i], longitude[i]];
  fact("At", `${latitudeText(lat, 3)}, ${longitudeText(lon, 3)}`, copyButton("coordinates", `${lat.toFixed(4)}, ${lon.toFixed(4)}`));
  const city = data.cities[data.city[i] ?? -1];
  if (city) {
    const [name, cityLat, cityLon] = city;
    const way = compassBetween(cityLat, cityLon, lat, lon);
    fact("Nearest city", `${lengthText(distanceBetween(cityLat, cityLon, lat, lon), 0)} ${way} of ${name}`);
  }
  if (data.home) {
    const [from, east] = data.home;
    fact("From home", `${lengthText(distanceBetween(from, east, lat, lon), 0)} ${compassBetween(from, east, lat, lon)}`);
  }
  const expected = expectedIntensity(i);
  if (data.shaken && expected !== null) fact("Expected", `${intensityText(expected)} at ${data.shaken[2]}`);
  if (kindOf(i)) fact("Kind", data.words[data.type[i]]);
  if (data.words[data.status[i]]) fact("Review", data.words[data.status[i]]);
  if (rare("mmi") !== undefined) fact("Shaking", `max MMI ${intensityText(rare("mmi"))} (ShakeMap)`);
  const felt = rare("felt") ? [`${grouped(rare("felt"))} felt ${rare("felt") === 1 ? "report" : "reports"}`] : [];
  if (rare("cdi") !== undefined) felt.push(`max CDI ${intensityText(rare("cdi"))}`);
  if (felt.length > 0) fact("Reports", felt.join(", "));
  if (rare("alert")) fact("PAGER alert", rare("alert"));
  if (rare("tsunami") === 1) fact("Tsunami", "flagged: see tsunami.gov");
  fact("Id", data.id[i], copyButton("id", data.id[i]));
  if (rare("ids")) fact("Other ids", rare("ids").replaceAll(" ", ", "));
  const link = document.createElement("a");
  link.href = rare("url") ?? `https://earthquake.usgs.gov/earthquakes/eventpage/${encodeURIComponent(data.id[i])}`;
  link.textContent = "Event page at USGS";
  link.rel = "noreferrer";
  const paragraph = document.createElement("p");
  paragraph.append(link);
  const unknown = isPresent[i] ? [] : [element("p", replay.isOn() ? "Not yet known." : "No longer in the catalog.", "gone")];
  card.replaceChildren(element("h2", headline(i)), close, ...unknown, actions, facts, paragraph, ...solutionsOf(i), ...historyOf(i));
  card.scrollTop = 0;
}

/**
 * Returns the zoom at which the circle of "Neighbors" fills the map.
 * @param {number} i
 */
function neighborScale(i) {
  const { width, tall } = map.size();
  return (Math.min(width, tall) / 2 / (neighborRadius * 1.15)) * 111.195 * Math.cos(Math.min(Math.abs(latitude[i]), 60) * radians);
}

/** @param {string} what @param {string} text */
function copyButton(what, text) {
  const button = buttonOf("Copy", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page opened from a file may lack permission, so use the traditional method.
      const field = document.body.appendChild(document.createElement("textarea"));
      field.value = text;
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.textContent = "Copied";
  });
  button.className = "copy";
  button.setAttribute("aria-label", `Copy ${what}`);
  return button;
}

/** @param {number} i @returns {HTMLElement[]} */
function historyOf(i) {
  const revisions = data.history[i];
  if (!revisions) return [];
  const steps = document.createElement("ol");
  const known = replay.knownRevisions(i);
  let seen = originTimes[i];
  revisions.forEach(([later, reason, published, ...changes], k) => {
    seen += later;
    // Solutions from before the first document are shown above.
    if (k >= known || data.words[reason] === "solved") return;
    const step = document.createElement("li");
    steps.prepend(step);
    step.append(element("time", minutes(seen)), " ", element("b", data.words[reason]));
    if (published !== null) step.append(element("small", ` published ${minutes(seen + published)}`));
    if (changes.length === 0 || (k > 0 && data.words[revisions[k - 1][1]] === "solved")) return;
    const values = step.appendChild(document.createElement("ul"));
    for (const [property, before, after] of changes) {
      const name = data.words[property];
      if (name === "city") continue;
      values.append(
        element("li", `${valueNames[name] ?? name} ${valueText(name, before)} → ${valueText(name, after)}`));
    }
  });
  const section = document.createElement("div");
  section.append(element("h3", `History, as learned (${zoneTitle()})`), steps);
  const later = revisions.slice(known).filter(([, reason]) => data.words[reason] !== "solved").length;
  if (later > 0) section.append(element("p", `${later} later`));
  return [section];
}
const originTimes = Float64Array.from(time);

function zoneTitle() {
  const zone = zoneChoice.value;
  return zone === "quake" ? "UTC" : zone === "local" ? "local time" : zone.replaceAll("_", " ");
}
