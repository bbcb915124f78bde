// @ts-check
// The shaking that a quake is expected to cause at the nearest of the page's sites.

/**
 * Returns the expected intensity; null without a site or magnitude. Same as in ExpectedIntensity.swift, which names
 * the source.
 * @param {number} i @returns {number | null}
 */
function expectedIntensity(i) {
  const magnitude = data.mag[i];
  const site = nearestSite(data.shaken ?? [], i);
  if (!site || magnitude === null) return null;
  const [lat, lon] = site;
  const distance = Math.max(Math.hypot(distanceBetween(lat, lon, latitude[i], longitude[i]), data.depth[i] ?? 10), 1);
  const saturation = -0.209 + 2.042 * Math.exp(magnitude - 5);
  const near = 2.085 + 1.428 * magnitude - 1.402 * Math.log(Math.hypot(distance, saturation));
  return distance > 50 ? near + 0.078 * Math.log(distance / 50) : near;
}
