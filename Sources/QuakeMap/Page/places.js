// @ts-check
// The place names on the map, unpacked when first needed. Scripts/pack-places documents the format.

/**
 * @typedef {{ name: string, x: number, y: number, width: number, isState: boolean }} Region in degrees of longitude and of height
 * @typedef {{ name: string, region: string, lat: number, lon: number, y: number, rank: number }} City
 */

/** @type {{ regions: Region[], readonly cities: City[] } | null} */
let unpackedPlaces = null;

function places() {
  if (unpackedPlaces) return unpackedPlaces;
  const [packed, ...names] = byId("places").textContent.trim().split("\n");
  const { next, nextSigned } = packedNumbers(packed);
  const steps = next();
  let name = 0;
  const regions = Array.from({ length: next() }, () => {
    const [x, latitude, width] = [nextSigned() / steps, nextSigned() / steps, next()];
    return { name: names[name++], x, y: heightOfLatitude(latitude), width: width >> 1, isState: width % 2 === 1 };
  });
  /** @type {City[]} */
  let cities = [];
  function unpackCities() {
    let x = 0;
    let y = 0;
    const ranks = next();
    for (let rank = 0; rank < ranks; rank++) {
      for (let left = next(); left > 0; left--) {
        x += nextSigned();
        y += nextSigned();
        const lat = y / steps;
        const region = regions[next()].name;
        cities.push({ name: names[name++], region, lat, lon: x / steps, y: heightOfLatitude(lat), rank });
      }
    }
    if (data.near?.cities) cities = withNearCities(data.near.boxes[0], data.near.cities, cities);
  }
  return (unpackedPlaces = {
    regions,
    // A map of the world names no cities, so they are unpacked only when a map needs them.
    get cities() {
      if (!cities.length) unpackCities();
      return cities;
    },
  });
}

/**
 * Replaces the world's cities within a small region with the region's own list. As in Scripts/pack-places, ranks depend
 * on the distance to a larger city, but here they are one lower, because a map of a small region has more room.
 * @param {NearBox} box @param {[string, number, number][]} cities @param {City[]} world
 */
function withNearCities([west, south, east, north], cities, world) {
  const isInside = (/** @type {City} */ { lat, lon }) =>
    lat >= south && lat <= north && (((lon - west) % 360) + 360) % 360 <= east - west;
  const made = cities.map(([name, lat, lon], k) => {
    const apart = Math.min(...cities.slice(0, k).map((other) => distanceBetween(lat, lon, other[1], other[2])), 800);
    const rank = Math.max(Math.ceil(Math.log2(400 / Math.max(apart, 1))), 0);
    return { name, region: "", lat, lon, y: heightOfLatitude(lat), rank };
  });
  const known = world.filter(isInside);
  for (const city of made) city.region = known.find((one) => one.name === city.name)?.region ?? "";
  return [...world.filter((city) => !isInside(city)), ...made].sort((a, b) => a.rank - b.rank);
}

/**
 * Returns the cities whose names begin with a text, the most important first.
 * @param {string} text @param {number} limit
 */
function citiesNamed(text, limit) {
  const wanted = folded(text);
  if (wanted.length < 2) return [];
  return places().cities.filter((city) => folded(city.name).startsWith(wanted)).slice(0, limit);
}
