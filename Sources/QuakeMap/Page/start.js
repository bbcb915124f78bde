// @ts-check
// Runs last: everything above is in place.

let started = false;
byId("app").hidden = false;
// On a phone the map matters more than the filters.
if (matchMedia("(max-width: 760px)").matches) byId("filters").open = false;
byId("filters").addEventListener("toggle", drawHistogram);
drawLegend("depth");
update();
list.measure();
update();
map.resize();
map.fit(data.bounds);
map.draw();
selectFromAddress();
started = true;
addEventListener("hashchange", selectFromAddress);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && selected >= 0) select(-1, "key");
});
new ResizeObserver(() => {
  list.measure();
  list.show();
  drawHistogram();
  map.resize();
}).observe(byId("view"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  drawHistogram();
  map.draw();
});
requestAnimationFrame(() => setTimeout(() => performance.mark("interactive")));
