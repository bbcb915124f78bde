// @ts-check
// The legend: the meaning of sizes, colors and lines on the map.

const legend = (() => {
  const box = byId("legend");
  let drawn = "";
  /** Whole magnitudes from the smallest to the largest on the page; every second one if there are more than six. */
  const magnitudes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((one) => one <= maxMagnitude && one > minMagnitude - 1)
    .filter((one, _, all) => all.length <= 6 || (one - all[all.length - 1]) % 2 === 0);

  /**
   * The classes that occur on the page, by scale.
   * @type {Record<string, Set<ScaleClass>>}
   */
  const occurring = {};
  /**
   * Returns the classes of a scale that the legend explains: those that occur; in a replay, in which values change,
   * all.
   * @param {string} by
   */
  function classesOf(by) {
    const { classes } = data.scales[by];
    if (replay.isOn()) return classes;
    const found = (occurring[by] ??= new Set(Array.from(order, classFinder(by))));
    return classes.filter((one) => found.has(one));
  }

  /** Redraws the legend if it has changed. Returns whether it has. */
  function show() {
    const by = byId("color").value;
    const factor = sizeFactor(data.present, map.view.scale);
    const plates = byId("plates").checked;
    const { title, isLength } = data.scales[by];
    // The map calls this function each time it is drawn.
    const state = [by, factor.toFixed(2), plates, isDark(), unitChoice.value, replay.isOn()].join();
    if (state === drawn) return false;
    drawn = state;
    const sizes = element("div", "", "sizes");
    // The height of the legend does not depend on the zoom.
    sizes.style.minHeight = `${2 * radiusOfMagnitude(maxMagnitude)}px`;
    sizes.append(element("b", "Magnitude"));
    for (const magnitude of magnitudes) {
      const size = sizes.appendChild(element("span", "", "size"));
      const circle = size.appendChild(element("i"));
      circle.style.width = circle.style.height = `${2 * radiusOfMagnitude(magnitude) * factor}px`;
      size.append(String(magnitude));
    }
    const colors = element("div", "", "colors");
    colors.append(element("b", isLength ? `${title} (${unitChoice.value})` : title));
    for (const one of classesOf(by)) {
      const step = colors.appendChild(element("span"));
      const color = step.appendChild(element("i")).style;
      color.background = colorOfClass(one);
      color.borderColor = rimOfClass(one);
      step.append(isLength ? one[3].replace(/\d+/g, (limit) => String(Math.round(inUnit(Number(limit))))) : one[3]);
    }
    const lines = element("div", "", "lines");
    if (plates) lines.append(line("plate", "plate boundary"));
    if (data.scope.length) lines.append(line("outside", "outside the selected area"));
    if (data.home) lines.append(line("home", "home"));
    box.replaceChildren(...(count ? [sizes, colors] : []), ...(lines.childElementCount ? [lines] : []));
    return true;
  }

  /** @param {string} kind @param {string} text */
  function line(kind, text) {
    const made = element("span", "", "line");
    made.append(element("i", "", kind), text);
    return made;
  }

  return { show };
})();
