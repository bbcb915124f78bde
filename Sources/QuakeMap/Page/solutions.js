// @ts-check
// The solutions of the selected quake: how magnitude and depth changed from one to the next, and a beach ball.

/**
 * Creates an SVG element.
 * @param {string} tag @param {Record<string, string | number>} attributes @param {Node[]} parts
 */
function drawn(tag, attributes, ...parts) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...parts);
  return made;
}

/**
 * Returns the first motion at a point of the lower hemisphere in equal-area projection, with x to the east, y to the
 * north and the rim at 1. It is positive where the ground is pushed away from the source.
 * @param {number[]} tensor Mrr, Mtt, Mpp, Mrt, Mrp, Mtp; r is up, t south, p east @param {number} x @param {number} y
 */
function firstMotion([rr, tt, pp, rt, rp, tp], x, y) {
  const square = x * x + y * y;
  const across = Math.sqrt(2 - square);
  const [up, south, east] = [square - 1, -y * across, x * across];
  return rr * up * up + tt * south * south + pp * east * east + 2 * (rt * up * south + rp * up * east + tp * south * east);
}

/**
 * Draws a beach ball: the lower hemisphere, filled where the first motion is a push.
 * @param {number[]} tensor @param {string} label
 */
function beachBall(tensor, label) {
  const rows = 120;
  let pushed = "";
  for (let row = 0; row < rows; row++) {
    const y = 1 - (2 * row + 1) / rows;
    const edge = Math.sqrt(1 - y * y);
    const samples = Math.max(Math.ceil(edge * rows), 2);
    const xs = Float64Array.from({ length: samples + 1 }, (_, k) => edge * ((2 * k) / samples - 1));
    const motions = xs.map((x) => firstMotion(tensor, x, y));
    let start = motions[0] > 0 ? xs[0] : NaN;
    for (let k = 1; k <= samples; k++) {
      const crosses = motions[k] > 0 !== motions[k - 1] > 0;
      const at = xs[k - 1] + ((xs[k] - xs[k - 1]) * motions[k - 1]) / (motions[k - 1] - motions[k]);
      if (crosses && motions[k] > 0) start = at;
      const end = crosses && motions[k] <= 0 ? at : k === samples && motions[k] > 0 ? xs[k] : NaN;
      if (end > start) pushed += `M${start.toFixed(4)} ${(-y - 1 / rows).toFixed(4)}H${end.toFixed(4)}v${(2 / rows + 1e-4).toFixed(4)}H${start.toFixed(4)}z`;
    }
  }
  return drawn("svg", { class: "ball", viewBox: "-1.05 -1.05 2.1 2.1", role: "img", "aria-label": `Beach ball, lower hemisphere: ${label}` },
    drawn("path", { d: pushed }), drawn("circle", { r: 1 }));
}

/**
 * Draws the values of successive solutions as steps over the logarithm of the time since the quake.
 * @param {string} label @param {number[]} after milliseconds @param {(number | null)[]} values
 */
function courseLine(label, after, values) {
  const known = values.flatMap((value) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const place = (/** @type {number} */ ms) => Math.log(Math.max(ms, 0) + 60e3);
  const [from, to] = [place(after[0]), place(after[after.length - 1])];
  let path = "";
  values.forEach((value, k) => {
    if (value === null) return;
    const x = to > from ? (150 * (place(after[k]) - from)) / (to - from) : 0;
    const y = high > low ? 22 - (20 * (value - low)) / (high - low) : 12;
    path += path ? `H${x.toFixed(1)}V${y.toFixed(1)}` : `M${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return drawn("svg", { class: "course", viewBox: "-2 0 164 24", role: "img", "aria-label": label }, drawn("path", { d: `${path}H160` }));
}

/**
 * Returns the solutions for the card; nothing without solutions.
 * @param {number} i @returns {HTMLElement[]}
 */
function solutionsOf(i) {
  const solutions = data.solutions[i];
  if (!solutions) return [];
  const until = replay.momentOfPublication() ?? Infinity;
  const steps = solutions.steps.filter(([since]) => since <= until);
  const mechanism = solutions.mechanisms.filter(([since]) => since <= until).pop();
  const section = element("div", "", "solutions");
  if (mechanism) {
    const [, words, source, tensor] = mechanism;
    section.append(element("h3", "Mechanism"));
    if (tensor) section.append(beachBall(tensor, words));
    section.append(element("p", `${words} (${source})`));
  }
  if (steps.length > 0) {
    const rows = document.createElement("dl");
    const texts = [magnitudeText, (/** @type {number | null} */ depth) => (depth === null ? "?" : lengthText(depth))];
    ["Magnitude", "Depth"].forEach((name, k) => {
      const values = steps.map((step) => /** @type {number | null} */ (step[k + 1]));
      const ends = [texts[k](values[0]), texts[k](values[values.length - 1])];
      const words = ends[0] === ends[1] ? ends[0] : ends.join(" → ");
      const row = document.createElement("dd");
      row.append(courseLine(`${name} ${words}`, steps.map(([since]) => since - originTimes[i]), values), ` ${words}`);
      rows.append(element("dt", name), row);
    });
    const [first, last] = [steps[0][0], steps[steps.length - 1][0]];
    section.append(element("h3", `${steps.length} ${steps.length === 1 ? "solution" : "solutions"}, as published (${zoneTitle()})`), rows,
      element("p", first === last ? minuteText(first) : `${minuteText(first)} to ${minuteText(last)}`));
  }
  return [section];
}
