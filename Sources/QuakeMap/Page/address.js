// @ts-check
// What the page shows stands in its address: `#us7000abcd&mag=2.5..4&view=34.1,-118.2,60`. So a link, a reload and a
// newer version of the file show the same. What is as usual is left out.

/**
 * Parts of the address by name: `get` gives the text, or null for the usual; `set` takes what `get` gave.
 * @type {Map<string, { get: () => string | null, set: (text: string | null) => void }>}
 */
const addressParts = new Map();
/**
 * What a link needs to read well stays as it is.
 * @param {string} text
 */
const encoded = (text) => encodeURIComponent(text).replace(/%(2C|3A|40|20)/g, (code) => decodeURIComponent(code).replace(" ", "+"));
/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Not well formed: it names nothing.
    return "";
  }
}
let addressIsDue = false;
let addressIsRead = false;

/** After every change of what is shown. */
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

/** Shows what the address says; at the start, what the file says where the address says nothing. */
function readAddress() {
  // An id stands first, where there is one.
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
