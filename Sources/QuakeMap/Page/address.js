// @ts-check
// The address records what the page shows: `#us7000abcd&mag=2.5..4&view=34.1,-118.2,60`. So a link, a reload and a
// newer version of the file show the same view. Defaults are left out.

/**
 * Parts of the address by name. `get` returns the text, or null for the default; `set` accepts the results of `get`.
 * @type {Map<string, { get: () => string | null, set: (text: string | null) => void }>}
 */
const addressParts = new Map();
/**
 * Encodes a text, except for characters that keep a link readable.
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
let addressIsDue = false;
let addressIsRead = false;

/** Schedules an update of the address after a change to what is shown. */
function noteAddress() {
  if (addressIsDue || !addressIsRead || replay.isPlaying()) return;
  addressIsDue = true;
  setTimeout(writeAddress);
}

function writeAddress() {
  addressIsDue = false;
  const parts = selected >= 0 ? [encoded(data.id[selected])] : [];
  for (const [name, part] of addressParts) {
    const text = part.get();
    if (text !== null) parts.push(text ? `${name}=${encoded(text)}` : name);
  }
  const address = parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
  if (address !== location.hash) history.replaceState(history.state, "", address);
}

/** Shows what the address describes. On the first call, an empty address selects the file's own selection. */
function readAddress() {
  // If there is an id, it comes first.
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
  for (const [name, part] of addressParts) part.set(values.get(name) ?? null);
  const wanted = decoded(id) || (addressIsRead ? "" : location.hash ? "" : data.selected ?? "");
  const found = wanted ? quakeWithId(wanted) : -1;
  const saysView = values.has("view");
  addressIsRead = true;
  if (found !== selected) select(found, saysView ? "map" : "address");
}

/**
 * Returns the index of the quake with this id, preferred or not; -1 if there is none.
 * @param {string} id
 */
function quakeWithId(id) {
  const wanted = id.toLowerCase();
  const own = data.id.findIndex((one) => one.toLowerCase() === wanted);
  if (own >= 0) return own;
  const other = Object.entries(data.rare.ids).find(([, ids]) => ids.toLowerCase().split(" ").includes(wanted));
  return other ? Number(other[0]) : -1;
}
