// @ts-check
// Runs last, once all other parts are defined.

document.documentElement.className = "app";
const legendBox = byId("legend-box");
let legendWasOpen = false;
byId("app").hidden = byId("skips").hidden = false;
// Without quakes there is nothing to filter or to sort, and quakes at a single moment have no time axis.
byId("brush").hidden = firstTime === lastTime;
byId("quick").hidden = byId("more").hidden = byId("sorts").hidden = count === 0;
// On a small map the legend would hide too much of it.
legendBox.open = document.body.classList.contains("embedded") || matchMedia("(min-width: 1100px)").matches;
byId("more").addEventListener("toggle", drawHistogram);
// Everything is drawn only once, after the URL has been read.
map.measure();
list.measure();
readURL();
update();
map.draw();
if (selected >= 0) list.reveal();
restoreScroll();
addEventListener("hashchange", readURL);
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  pointing.hideTip();
  // Each press undoes one thing: it closes the list of overlapping quakes, goes back to the view before the last jump,
  // lists all quakes again, or clears the selection.
  if (pointing.closeOverlaps() || map.goBack()) return;
  if (neighborhood) showNeighbors(null);
  else if (selected >= 0) select(-1, "key");
});
new ResizeObserver(() => {
  if (!map.measure()) return;
  list.measure();
  list.refresh();
  drawHistogram();
  map.draw();
}).observe(byId("view"));
for (const kind of ["beforeprint", "afterprint"]) {
  addEventListener(kind, () => {
    isOnPaper = kind === "beforeprint";
    document.documentElement.classList.toggle("paper", isOnPaper);
    if (isOnPaper) legendWasOpen = legendBox.open;
    legendBox.open = isOnPaper || legendWasOpen;
    map.setPaper();
    list.show();
  });
}
darkScheme.addEventListener("change", () => {
  drawHistogram();
  map.draw();
});
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) map.startPulse();
requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
