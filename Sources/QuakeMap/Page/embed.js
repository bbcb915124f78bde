// @ts-check
// The page within another page, or in an equally small window: title and map, with the other parts behind buttons.

{
  const small = matchMedia("(max-width: 640px) and (max-height: 480px)");
  let isAsked = false;
  const listPart = byId("list");
  const parts = [...document.querySelectorAll("#folds button")].map((button) => ({
    button, part: byId(/** @type {HTMLElement} */ (button).dataset.part ?? ""),
  }));
  /** @param {HTMLElement} part */
  const isOpen = (part) => (part === listPart ? part.classList.contains("open") : part.hasAttribute("open"));

  /** Opens one part and closes the others, because there is little space. */
  function open(/** @type {HTMLElement | null} */ wanted) {
    for (const { button, part } of parts) {
      part.toggleAttribute("open", part === wanted && part !== listPart);
      part.classList.toggle("open", part === wanted && part === listPart);
      button.setAttribute("aria-expanded", String(part === wanted));
    }
    // Hidden elements have no size, so they are measured now.
    list.show();
    list.measure();
    drawHistogram();
  }

  function fit() {
    const isEmbedded = isAsked || small.matches;
    if (document.body.classList.toggle("embedded", isEmbedded) && !parts.some(({ button }) => button.ariaExpanded === "true")) open(null);
  }

  for (const { button, part } of parts) button.addEventListener("click", () => open(isOpen(part) ? null : part));
  small.addEventListener("change", fit);
  addressParts.set("embed", {
    get: () => (isAsked ? "" : null),
    set(text) {
      isAsked = text !== null;
      fit();
    },
  });
  fit();
}
