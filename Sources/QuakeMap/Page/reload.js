// @ts-check
// Keeps the page current by reloading it. The URL restores the view. A reload waits while the reader is active.

/** Restores the reader's position once the page is shown. */
let restoreScroll = () => {};

if (data.reload) {
  const length = data.reload * 1000;
  const choice = byId("reload");
  const patience = 10e3;
  let due = Date.now() + length;
  let lastInput = -Infinity;
  byId("reload-choice").hidden = false;
  byId("reload-text").textContent =
    `Reload every ${data.reload % 60 === 0 ? `${data.reload / 60} min` : `${data.reload} s`}`;
  /**
   * The state that is not in the URL, kept in the entry of the browser's history.
   * @type {any}
   */
  const kept = history.state ?? {};
  if (kept.reload === false) choice.checked = false;
  choice.addEventListener("change", () => {
    due = Date.now() + length;
    keep();
  });
  if (typeof kept.filters === "boolean") byId("more").open = kept.filters;
  restoreScroll = () => {
    if (typeof kept.scroll !== "number") return;
    list.scroller.scrollTop = kept.scroll;
    list.show();
    byId(kept.focus ?? "")?.focus({ preventScroll: true });
  };
  const keep = () => {
    const state = {
      scroll: list.scroller.scrollTop, filters: byId("more").open, focus: document.activeElement?.id,
      reload: choice.checked,
    };
    history.replaceState(state, "");
  };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"]) {
    addEventListener(kind, (event) => {
      if (event.type !== "pointermove" || /** @type {PointerEvent} */ (event).buttons) lastInput = Date.now();
    }, { passive: true, capture: true });
  }
  setInterval(() => {
    const now = Date.now();
    if (!choice.checked || now < due || now - lastInput < Math.min(patience, length / 2)) return;
    if (document.hidden || replay.isPlaying()) return;
    writeURL();
    keep();
    // This prevents a second reload while the next version loads.
    due = now + length;
    location.reload();
  }, 250);
}
