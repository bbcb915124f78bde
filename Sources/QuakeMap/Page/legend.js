// @ts-check
// The legend: the meaning of sizes, colors and lines on the map.

const legend = (() => {
  const box = byId("legend");
  let drawn = "";
  /** Whole magnitudes up to the largest on the page. */
  const magnitudes = [2, 3, 4, 5, 6, 7, 8, 9].filter((magnitude) => magnitude < 3 || magnitude <= mostMagnitude).slice(-6);
  /** @type {Record<string, string>} */
  const titles = {
    age: "Age", type: "Magnitude type",
    shaking: `Estimated intensity at ${data.shaken?.length === 1 ? data.shaken[0][2] : "the nearest site"}`,
  };

  /** @param {string} by */
  function classesOf(by) {
    const classes = data.scales[/** @type {"depth" | "age" | "type" | "shaking"} */ (by)] ?? [];
    if (by !== "depth" && by !== "shaking") return classes;
    // What has no limit is named where there is such a quake.
    const values = by === "depth" ? data.depth : data.mag;
    return classes.filter(([from], k) => k === 0 || typeof from === "number" || values.includes(from === "fixed" ? 10 : null));
  }

  function show() {
    const by = byId("color").value;
    const factor = sizeFactor(data.present, map.view.scale);
    const plates = byId("plates").checked;
    const isDepth = by === "depth";
    // This runs whenever the map is drawn, but only redraws the legend after a change.
    const state = [by, factor.toFixed(2), plates, isDark(), unitChoice.value].join();
    if (state === drawn) return;
    drawn = state;
    const sizes = element("div", "", "sizes");
    sizes.append(element("b", "Magnitude"));
    for (const magnitude of magnitudes) {
      const size = sizes.appendChild(element("span", "", "size"));
      const circle = size.appendChild(element("i"));
      circle.style.width = circle.style.height = `${2 * radiusOfMagnitude(magnitude) * factor}px`;
      size.append(String(magnitude));
    }
    const colors = element("div", "", "colors");
    colors.append(element("b", isDepth ? `Depth (${unitChoice.value})` : titles[by]));
    for (const one of classesOf(by)) {
      const step = colors.appendChild(element("span"));
      step.appendChild(element("i")).style.background = colorOfClass(one);
      step.append(isDepth ? one[3].replace(/\d+/g, (limit) => String(Math.round(inUnit(Number(limit))))) : one[3]);
    }
    const lines = element("div", "", "lines");
    if (plates) lines.append(line("plate", "plate boundary"));
    if (data.scope.length) lines.append(line("outside", "not covered by this map"));
    if (data.home) lines.append(line("home", "home"));
    box.replaceChildren(sizes, colors, ...(lines.childElementCount ? [lines] : []));
  }

  /** @param {string} kind @param {string} text */
  function line(kind, text) {
    const made = element("span", "", "line");
    made.append(element("i", "", kind), text);
    return made;
  }

  return { show };
})();
