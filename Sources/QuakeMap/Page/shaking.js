// @ts-check
// How strongly a quake is expected to shake the place of the page.

/**
 * The intensity to expect, or null without a place or a magnitude. ExpectedIntensity.swift has the same, and says where
 * it comes from.
 * @param {number} i @returns {number | null}
 */
function expectedIntensity(i) {
  const magnitude = data.mag[i];
  if (!data.shaken || magnitude === null) return null;
  const [lat, lon] = data.shaken;
  const distance = Math.max(Math.hypot(distanceBetween(lat, lon, latitude[i], longitude[i]), data.depth[i] ?? 10), 1);
  const saturation = -0.209 + 2.042 * Math.exp(magnitude - 5);
  const near = 2.085 + 1.428 * magnitude - 1.402 * Math.log(Math.hypot(distance, saturation));
  return distance > 50 ? near + 0.078 * Math.log(distance / 50) : near;
}
