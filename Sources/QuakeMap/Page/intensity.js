// @ts-check
// The estimated intensity of a quake at the nearest of the page's sites.

/**
 * Returns the estimated intensity; null without a site or a magnitude. Same formula as in EstimatedIntensity.swift,
 * which cites its source.
 * @param {number} i @returns {number | null}
 */
function estimatedIntensity(i) {
  const magnitude = data.mag[i];
  const site = nearestSite(data.sites ?? [], i);
  if (!site || magnitude === null) return null;
  const [lat, lon] = site;
  const distance = Math.max(Math.hypot(distanceBetween(lat, lon, latitude[i], longitude[i]), data.depth[i] ?? 10), 1);
  const saturation = -0.209 + 2.042 * Math.exp(magnitude - 5);
  const near = 2.085 + 1.428 * magnitude - 1.402 * Math.log(Math.hypot(distance, saturation));
  return distance > 50 ? near + 0.078 * Math.log(distance / 50) : near;
}
