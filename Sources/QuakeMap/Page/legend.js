// @ts-check
// The meaning of sizes, colors and lines on the map. The legend is below the map, so that it hides no quakes.

const legend = (() => {
  const box = byId("legend");
  let drawn = "";
  /** @type {Record<string, string>} */
  const titles = {
    age: "Age, up to a", type: "Magnitude type",
    shaking: `Shaking expected at ${data.shaken?.[2]}`,
  };

  /** @param {string} by */
  function classesOf(by) {
    const classes = data.scales[/** @type {"depth" | "age" | "type" | "shaking"} */ (by)] ?? [];
    if (by !== "depth" && by !== "shaking") return classes;
    // The last class is for unknown values.
    return (by === "depth" ? data.depth : data.mag).some((value) => value === null) ? classes : classes.slice(0, -1);
  }

  function show() {
    const by = byId("color").value;
    const factor = sizeFactor(data.present, map.view.scale);
    const plates = byId("plates").checked;
    const isDepth = by === "depth";
    // This runs whenever the map is drawn, but only redraws the legend after a change.
    const state = [by, factor.toFixed(2), plates, darkScheme.matches, unitChoice.value].join();
    if (state === drawn) return;
    drawn = state;
    const sizes = element("div", "", "sizes");
    sizes.append(element("b", "Magnitude"));
    for (const magnitude of [2, 3, 4, 5, 6, 7]) {
      const size = sizes.appendChild(element("span", "", "size"));
      const circle = size.appendChild(element("i"));
      circle.style.width = circle.style.height = `${2 * radiusOfMagnitude(magnitude) * factor}px`;
      size.append(String(magnitude));
    }
    const colors = element("div", "", "colors");
    colors.append(element("b", isDepth ? `Depth, ${unitChoice.value}` : titles[by]));
    for (const one of classesOf(by)) {
      const step = colors.appendChild(element("span"));
      step.appendChild(element("i")).style.background = colorOfClass(one);
      step.append(isDepth ? one[3].replace(/\d+/g, (limit) => String(Math.round(inUnit(Number(limit))))) : one[3]);
    }
    const lines = element("div", "", "lines");
    if (plates) lines.append(line("plate", "plate boundary"));
    if (data.scope) lines.append(line("outside", "outside this page"));
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
