// @ts-check
// The layout within another page or in a small window: only the title and the map; buttons open the list and filters.

{
  const small = matchMedia("(max-width: 640px) and (max-height: 480px)");
  let isAsked = false;
  const parts = [...document.querySelectorAll("#folds button")].map((button) => ({
    button, part: byId(/** @type {HTMLElement} */ (button).dataset.part ?? ""),
  }));

  /** Opens one part and closes the others, because there is little space. */
  function open(/** @type {HTMLElement | null} */ wanted) {
    for (const { button, part } of parts) {
      part.classList.toggle("open", part === wanted);
      button.setAttribute("aria-expanded", String(part === wanted));
    }
    // Hidden elements have no size, so the list and the histogram are measured only now.
    list.measure();
    list.refresh();
    drawHistogram();
  }

  function fit() {
    if (document.body.classList.toggle("embedded", isAsked || small.matches)) byId("legend-box").open = true;
  }

  for (const { button, part } of parts) button.addEventListener("click", () => open(part.classList.contains("open") ? null : part));
  small.addEventListener("change", fit);
  urlParts.set("embed", {
    get: () => (isAsked ? "" : null),
    set(text) {
      isAsked = text !== null;
      fit();
    },
  });
  fit();
}
