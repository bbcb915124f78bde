// @ts-check
// The fragment of the URL describes what the page shows: `#us7000abcd&mag=2.5..4&view=34.1,-118.2,60`. A link, a reload
// and a newer version of the file therefore show the same view. Defaults are left out.

/**
 * The parts of the fragment by name. `get` returns the text of a part, or null for the default. `set` shows what such a
 * text describes.
 * @type {Map<string, { get: () => string | null, set: (text: string | null) => void }>}
 */
const urlParts = new Map();
/**
 * Encodes a text for the fragment. Commas, colons, @ and spaces (as +) stay readable.
 * @param {string} text
 */
const encoded = (text) => encodeURIComponent(text).replace(/%(2C|3A|40|20)/g, (code) => decodeURIComponent(code).replace(" ", "+"));
/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Malformed text counts as empty.
    return "";
  }
}
let urlIsDue = false;
let urlIsRead = false;

/** Schedules an update of the URL after a change of the view, the filters, the selection or a setting. */
function scheduleURLUpdate() {
  if (urlIsDue || !urlIsRead || replay.isPlaying()) return;
  urlIsDue = true;
  setTimeout(writeURL);
}

function writeURL() {
  urlIsDue = false;
  const parts = selected >= 0 ? [encoded(data.id[selected])] : [];
  for (const [name, part] of urlParts) {
    const text = part.get();
    if (text !== null) parts.push(text ? `${name}=${encoded(text)}` : name);
  }
  const url = parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
  if (url !== location.hash) history.replaceState(history.state, "", url);
}

/**
 * Shows what the URL describes. On the first call, a URL without a fragment selects the quake that the file selects.
 */
function readURL() {
  // The id of the selected quake, if any, is the first part.
  const texts = location.hash.slice(1).split("&");
  const id = texts[0].includes("=") || texts[0] === "embed" ? "" : texts[0];
  const parts = id || !texts[0] ? texts.slice(1) : texts;
  /** @type {Map<string, string>} */
  const values = new Map();
  for (const part of parts) {
    const at = part.indexOf("=");
    if (at > 0) values.set(part.slice(0, at), decoded(part.slice(at + 1)));
    else values.set(part, "");
  }
  for (const [name, part] of urlParts) part.set(values.get(name) ?? null);
  const wanted = decoded(id) || (urlIsRead ? "" : location.hash ? "" : data.selected ?? "");
  const found = wanted ? quakeWithId(wanted) : -1;
  const saysView = values.has("view");
  urlIsRead = true;
  if (found !== selected) select(found, saysView ? "map" : "url");
}

/**
 * Returns the index of the quake that has this id as its preferred or another id; -1 if there is none.
 * @param {string} id
 */
function quakeWithId(id) {
  const wanted = id.toLowerCase();
  const own = data.id.findIndex((one) => one.toLowerCase() === wanted);
  if (own >= 0) return own;
  const other = Object.entries(data.rare.ids).find(([, ids]) => ids.toLowerCase().split(" ").includes(wanted));
  return other ? Number(other[0]) : -1;
}
