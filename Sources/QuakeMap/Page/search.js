// @ts-check
// The search box. Its text filters by place, region and id. Below it, the page suggests the regions and cities with a
// matching name, and the quake that has or had the id.

{
  const suggestions = byId("suggestions");
  let chosen = -1;
  /** @type {{ text: string, act: () => void }[]} */
  let offers = [];

  function offer() {
    const text = placeInput.value.trim();
    offers = [];
    const quake = text.length > 3 ? quakeWithId(text) : -1;
    if (quake >= 0) offers.push({ text: `Quake ${headline(quake)}`, act: () => select(quake, "list") });
    for (const [name, number] of regionsNamed(text, 4)) {
      offers.push({
        text: `Only ${name}: ${grouped(number)} ${number === 1 ? "quake" : "quakes"}`,
        act() {
          placeInput.value = "";
          urlParts.get("region")?.set(name);
        },
      });
    }
    for (const city of citiesNamed(text, 6)) {
      offers.push({
        text: `Go to ${city.name}${city.region && `, ${city.region}`}`,
        act() {
          placeInput.value = "";
          scheduleUpdate();
          map.goTo(city.lon, city.y, 60);
        },
      });
    }
    chosen = -1;
    show();
  }

  function show() {
    suggestions.hidden = offers.length === 0;
    placeInput.ariaExpanded = String(offers.length > 0);
    suggestions.replaceChildren(...offers.map(({ text }, k) => {
      const option = element("div", text, "option");
      option.id = `suggestion-${k}`;
      option.setAttribute("role", "option");
      option.ariaSelected = String(k === chosen);
      option.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        choose(k);
      });
      return option;
    }));
    if (chosen >= 0) placeInput.setAttribute("aria-activedescendant", `suggestion-${chosen}`);
    else placeInput.removeAttribute("aria-activedescendant");
  }

  /** @param {number} k */
  function choose(k) {
    offers[k].act();
    close();
  }

  function close() {
    offers = [];
    show();
  }

  placeInput.addEventListener("input", offer);
  placeInput.addEventListener("blur", close);
  placeInput.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (!offers.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : offers.length + (chosen < 0 ? 1 : 0) - 1)) % offers.length;
      show();
    } else if (event.key === "Enter") {
      if (chosen >= 0 || offers.length === 1) choose(Math.max(chosen, 0));
      else close();
    } else if (event.key === "Escape") {
      close();
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  });
}
