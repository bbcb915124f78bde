// @ts-check
// Runs last, when everything else is in place.

byId("app").hidden = false;
// On a phone the map matters more than the filters.
if (matchMedia("(max-width: 760px)").matches) {
  byId("legend-box").open = false;
  if (history.state === null) byId("filters").open = false;
}
byId("filters").addEventListener("toggle", drawHistogram);
list.nameZone();
// Everything is drawn only once, after the address has been read.
legend.show();
map.measure();
readAddress();
update();
list.measure();
map.draw();
if (selected >= 0) list.reveal();
restoreScroll();
addEventListener("hashchange", readAddress);
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  pointing.hideTip();
  // One at a time: anything over the map, the last jump, the neighbors, the selection.
  if (pointing.closePile() || map.goBack()) return;
  if (neighborhood) showNeighbors(null);
  else if (selected >= 0) select(-1, "key");
});
new ResizeObserver(() => {
  if (!map.measure()) return;
  list.measure();
  list.show();
  drawHistogram();
  map.draw();
}).observe(byId("view"));
darkScheme.addEventListener("change", () => {
  drawHistogram();
  map.draw();
});
requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
