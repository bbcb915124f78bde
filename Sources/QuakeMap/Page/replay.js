// @ts-check
// Replay: the page as of an earlier moment. There are three clocks, each with its own times for the events: when the
// cache recorded them, when USGS published them, and when the quakes happened.
//
// A moment of a clock corresponds to a number of its events, in order. Going forward applies revisions to the data
// columns, and going backward undoes them. List, map, card and filters then show what was known at that moment, without
// special code for a replay. On the clock of origin times, no value changes, and quakes only appear.

const replay = (() => {
  const bar = byId("replay");
  const slider = byId("replay-slider");
  const clockChoice = byId("replay-clock");
  const speedChoice = byId("replay-speed");
  const playButton = byId("replay-play");
  const sliderSteps = 10000;
  const subtitle = byId("as-of").textContent;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  /**
   * The events of a clock in order, each with its time, its quake and the index of its revision (-1 if the quake
   * happened), and the first and last moment of the clock.
   * @typedef {{ at: Float64Array, row: Uint32Array, revision: Int16Array, from: number, to: number }} Clock
   */
  /** @type {Record<string, Clock>} */
  const clocks = {};
  let clock = "";
  /** @type {Clock | null} */
  let events = null;
  /** The number of events applied, and the corresponding moment. */
  let position = 0;
  let moment = 0;
  let isPlaying = false;
  let frameIsDue = false;
  let lastFrame = 0;
  let lastUpdate = 0;
  /** @type {Uint16Array | null} */
  let counted = null;
  /** The number of revisions applied to each quake, counted when first needed. */
  const applied = () => (counted ??= Uint16Array.from(time, (_, i) => data.history[i]?.length ?? 0));
  /** Whether changes in the columns require a new drawing order. */
  let orderIsOld = false;

  /** @param {string} name @returns {Clock} */
  function clockNamed(name) {
    if (clocks[name]) return clocks[name];
    /** @type {[number, number, number][]} */
    const found = [];
    if (name === "origin") {
      for (let i = 0; i < data.present; i++) found.push([time[i], i, -1]);
    } else {
      for (const [key, revisions] of Object.entries(data.history)) {
        const row = Number(key);
        let recorded = originTimes[row];
        let published = -Infinity;
        revisions.forEach(([later, , offset], k) => {
          recorded += later;
          // No publication time counts as earlier than the one before, so that the revisions of a quake keep their
          // order.
          if (offset !== null) published = Math.max(published, recorded + offset);
          found.push([name === "recorded" ? recorded : published, row, k]);
        });
      }
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    const first = name === "recorded" ? data.replay?.recorded : name === "published" ? data.replay?.published : null;
    const from = first ?? found.find(([at]) => at > -Infinity)?.[0] ?? data.asOf;
    const to = Math.max(found.length ? found[found.length - 1][0] : from, from + 1000);
    return (clocks[name] = {
      at: Float64Array.from(found, (event) => event[0]),
      row: Uint32Array.from(found, (event) => event[1]),
      revision: Int16Array.from(found, (event) => event[2]),
      from, to,
    });
  }

  /**
   * Returns the number of events on a clock up to a moment.
   * @param {Clock} of @param {number} at
   */
  function positionAt(of, at) {
    let [low, high] = [0, of.at.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (of.at[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @type {Map<string, number> | null} */
  let wordNumbers = null;
  /** @param {string | null} word */
  function numberOf(word) {
    wordNumbers ??= new Map(data.words.map((known, k) => [known, k]));
    const text = word ?? "";
    let number = wordNumbers.get(text);
    if (number === undefined) wordNumbers.set(text, (number = data.words.push(text) - 1));
    return number;
  }

  /**
   * Sets one value of a quake.
   * @param {number} i @param {string} property @param {any} value
   */
  function setValue(i, property, value) {
    switch (property) {
      case "mag":
        data.mag[i] = value;
        radius[i] = radiusOfMagnitude(value);
        orderIsOld = true;
        break;
      case "depth": data.depth[i] = value; break;
      case "lon": longitude[i] = value; break;
      case "lat":
        latitude[i] = value;
        height[i] = heightOfLatitude(value);
        break;
      case "time":
        time[i] = value;
        binOf[i] = binAt(value);
        break;
      case "id":
        data.id[i] = value;
        foldedTexts[i] = null;
        break;
      case "place":
        data.place[i] = value;
        data.name[i] = null;
        foldedTexts[i] = null;
        lineCounts[i] = 0;
        break;
      case "city": data.city[i] = value; break;
      case "magType": data.magType[i] = numberOf(value); break;
      case "status": data.status[i] = numberOf(value); break;
      case "type": data.type[i] = numberOf(value); break;
      case "felt": case "cdi": case "mmi": case "alert": case "tsunami": case "sig":
        if (value === null || value === 0) delete data.rare[property][i];
        else data.rare[property][i] = value;
        break;
    }
  }

  /**
   * Returns whether a quake is on the map after this many revisions.
   * @param {number} i @param {number} revisions
   */
  function isThere(i, revisions) {
    const text = data.replay?.shown[i];
    if (text) return text[revisions] === "1";
    // Most quakes appear with their first revision and stay.
    return revisions > 0 || ![solutionReason, "new", "late", "split"].includes(data.words[data.history[i][0][1]]);
  }

  /**
   * Returns whether a revision is a solution from before the first snapshot with the quake. Only the clock of
   * publication times shows such solutions.
   * @param {number} i @param {number} revision
   */
  const isSolution = (i, revision) => revision >= 0 && data.words[data.history[i]?.[revision]?.[1]] === solutionReason;

  /** @param {number} k @param {boolean} forwards @param {boolean} marked whether to mark the event on the map */
  function step(k, forwards, marked) {
    if (!events) return;
    const i = events.row[k];
    const revision = events.revision[k];
    const was = isPresent[i];
    const before = { lon: longitude[i], lat: latitude[i], high: height[i], radius: radius[i], mag: data.mag[i] };
    if (revision < 0) {
      isPresent[i] = forwards ? 1 : 0;
    } else {
      finishTween(i);
      const changes = data.history[i][revision].slice(3);
      for (const [property, old, next] of changes) setValue(i, data.words[property], forwards ? next : old);
      applied()[i] = forwards ? revision + 1 : revision;
      isPresent[i] = isThere(i, applied()[i]) && (clock === "published" || !isSolution(i, applied()[i] - 1)) ? 1 : 0;
    }
    const wasShown = isShown[i];
    isShown[i] = passes(i) ? 1 : 0;
    // On the clock of recorded times, solutions arrive with the first snapshot of the quake, so they are not marked.
    if (!marked || !(wasShown || isShown[i]) || (clock !== "published" && isSolution(i, revision))) return;
    if (isShown[i] && !wasShown) mark(i, "new", before);
    else if (!isShown[i]) mark(i, was && !isPresent[i] ? "gone" : "left", before);
    else if (before.lon !== longitude[i] || before.lat !== latitude[i] || before.mag !== data.mag[i]) mark(i, "moved", before);
    news.push({ i, revision, before, forwards });
  }

  /**
   * Applies or undoes events up to a moment.
   * @param {number} at @param {boolean} marked whether to mark the events on the map
   */
  function seek(at, marked) {
    if (!events) return;
    const target = positionAt(events, at);
    while (position < target) step(position++, true, marked);
    while (position > target) step(--position, false, marked);
    moment = at;
  }

  // Events on the map: circles that grow and move, and marks that fade.

  /** @typedef {{ lon: number, lat: number, high: number, radius: number, mag: number | null }} Before */
  /** @type {{ i: number, kind: string, lon: number, high: number, toLon: number, toHigh: number, radius: number, start: number }[]} */
  let marks = [];
  const markLimit = 80;
  /** @type {Map<number, { start: number, from: Before, to: Before }>} */
  const tweens = new Map();
  /**
   * The events since the last description of an event (`showNews`).
   * @type {{ i: number, revision: number, before: Before, forwards: boolean }[]}
   */
  let news = [];

  /** @param {number} i @param {string} kind @param {Before} before */
  function mark(i, kind, before) {
    if (marks.length > markLimit) marks.shift();
    const place = kind === "new" ? { lon: longitude[i], high: height[i] } : before;
    marks.push({
      i, kind, lon: place.lon, high: place.high, toLon: longitude[i], toHigh: height[i], radius: radius[i],
      start: performance.now(),
    });
    if (calm.matches || kind !== "moved" || tweens.size > markLimit) return;
    const to = { lon: longitude[i], lat: latitude[i], high: height[i], radius: radius[i], mag: data.mag[i] };
    tweens.set(i, { start: performance.now(), from: before, to });
    setDrawn(i, before, to, 0);
  }

  /** @param {number} i @param {Before} from @param {Before} to @param {number} share */
  function setDrawn(i, from, to, share) {
    const between = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * share;
    longitude[i] = between(from.lon, to.lon);
    height[i] = between(from.high, to.high);
    radius[i] = between(from.radius, to.radius);
    if (share === 1) latitude[i] = to.lat;
  }

  /** @param {number} i */
  function finishTween(i) {
    const tween = tweens.get(i);
    if (!tween) return;
    setDrawn(i, tween.from, tween.to, 1);
    tweens.delete(i);
  }

  /** @param {number} now */
  function runTweens(now) {
    for (const [i, { start, from, to }] of tweens) {
      const share = Math.min((now - start) / 600, 1);
      // Ease in and out.
      setDrawn(i, from, to, share * share * (3 - 2 * share));
      if (share === 1) tweens.delete(i);
    }
  }

  /**
   * Draws the marks of recent events.
   * @param {CanvasRenderingContext2D} context
   */
  function drawMarks(context) {
    if (!events) return;
    drawTrack(context);
    if (!marks.length) return;
    const now = performance.now();
    const isCalm = calm.matches;
    const life = { new: 900, moved: 1600, gone: 2600, left: 2000 };
    marks = isCalm ? marks : marks.filter((one) => now - one.start < life[/** @type {"new"} */ (one.kind)]);
    const style = getComputedStyle(document.documentElement);
    const factor = sizeFactor(data.present, map.view.scale);
    context.lineCap = "round";
    for (const one of marks) {
      const share = isCalm ? 0.4 : (now - one.start) / life[/** @type {"new"} */ (one.kind)];
      const from = map.pointAt(one.lon, one.high);
      context.globalAlpha = Math.min(1, 1.6 * (1 - share));
      context.beginPath();
      if (one.kind === "new") {
        context.strokeStyle = style.getPropertyValue("--text");
        context.lineWidth = 1.5;
        context.arc(from.x, from.y, one.radius * factor + 3 + 12 * share, 0, 2 * Math.PI);
      } else if (one.kind === "moved") {
        const to = map.pointAt(one.toLon, one.toHigh);
        if (Math.hypot(to.x - from.x, to.y - from.y) < 2) {
          context.strokeStyle = style.getPropertyValue("--text");
          context.lineWidth = 1.5;
          context.arc(to.x, to.y, one.radius * factor + 4, 0, 2 * Math.PI);
        } else {
          context.strokeStyle = style.getPropertyValue("--mark");
          context.lineWidth = 2.5;
          context.moveTo(from.x, from.y);
          context.lineTo(to.x, to.y);
          context.stroke();
          context.beginPath();
          context.lineWidth = 1.5;
          context.arc(from.x, from.y, 3, 0, 2 * Math.PI);
        }
      } else {
        const reach = Math.max(one.radius * factor, 5);
        context.strokeStyle = style.getPropertyValue("--mark");
        context.lineWidth = one.kind === "gone" ? 3 : 1.5;
        for (const side of [-1, 1]) {
          context.moveTo(from.x - reach, from.y - reach * side);
          context.lineTo(from.x + reach, from.y + reach * side);
        }
      }
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /**
   * Draws the earlier epicenters of the selected quake.
   * @param {CanvasRenderingContext2D} context
   */
  function drawTrack(context) {
    if (selected < 0 || !isShown[selected]) return;
    let [lon, lat] = [longitude[selected], latitude[selected]];
    context.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--mark");
    context.lineWidth = 1.5;
    context.globalAlpha = 1;
    for (let k = applied()[selected] - 1; k > 0; k--) {
      const from = map.pointAt(lon, heightOfLatitude(lat));
      for (const [property, before] of data.history[selected][k].slice(3)) {
        if (data.words[property] === "lon") lon = before;
        if (data.words[property] === "lat") lat = before;
      }
      const to = map.pointAt(lon, heightOfLatitude(lat));
      if (from.x === to.x && from.y === to.y) continue;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.moveTo(to.x + 3, to.y);
      context.arc(to.x, to.y, 3, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  // Playing.

  function run() {
    if (frameIsDue) return;
    frameIsDue = true;
    requestAnimationFrame(frame);
  }

  /** @param {number} now */
  function frame(now) {
    frameIsDue = false;
    if (!events) return;
    if (isPlaying) {
      // The time lost by a late frame is not made up for.
      const elapsed = Math.min(Math.max(now - lastFrame, 0), 100);
      const next = moment + elapsed * Number(speedChoice.value);
      seek(Math.min(next, events.to), true);
      if (next >= events.to) setPlaying(false);
    }
    lastFrame = now;
    runTweens(performance.now());
    showMoment();
    if (!isPlaying || now - lastUpdate > 300) {
      lastUpdate = now;
      showAll();
    }
    map.drawDots();
    map.align();
    if (isPlaying || tweens.size || (marks.length && !calm.matches)) run();
  }

  /** Updates what need not change in every frame: list, counts, histogram, card. */
  function showAll() {
    if (orderIsOld) {
      drawingOrder = sortedForDrawing();
      orderIsOld = false;
    }
    update();
    showNews();
    if (selected >= 0) showCard();
  }

  /** @param {boolean} plays */
  function setPlaying(plays) {
    isPlaying = plays;
    playButton.textContent = plays ? "❚❚" : "▶";
    playButton.setAttribute("aria-label", plays ? "Pause" : "Play");
    byId("replay-news").setAttribute("aria-live", plays ? "off" : "polite");
    lastFrame = performance.now();
    if (plays && events && moment >= events.to) {
      seek(events.from, false);
      marks = [];
    }
    run();
    scheduleURLUpdate();
  }

  /**
   * Shows another moment without changing the view of the map.
   * @param {number} at @param {boolean} marked
   */
  function jump(at, marked) {
    if (!events) return;
    for (const i of tweens.keys()) finishTween(i);
    marks = [];
    news = [];
    seek(Math.min(Math.max(at, events.from), events.to), marked);
    run();
    scheduleURLUpdate();
  }

  /**
   * Goes to the next or previous moment with an event.
   * @param {number} direction
   */
  function stepMoment(direction) {
    if (!events) return;
    setPlaying(false);
    if (direction > 0) {
      if (position < events.at.length) jump(events.at[position], true);
      return;
    }
    // Undo all events of this moment, which leads to the moment of the event before.
    let k = position;
    while (k > 0 && events.at[k - 1] >= moment) k--;
    jump(k > 0 ? events.at[k - 1] : events.from, true);
  }

  /**
   * Starts a replay or changes the clock. Both begin at the end of the clock, in the present state.
   * @param {string} name
   */
  function start(name) {
    if (clock === name) return;
    stop();
    clock = name;
    clockChoice.value = name;
    events = clockNamed(name);
    position = events.at.length;
    moment = events.to;
    const span = (events.to - events.from) / 1000;
    // The slowest speed at which the replay takes at most a minute.
    const speeds = [...speedChoice.options].map((option) => Number(option.value));
    speedChoice.value = String(speeds.find((speed) => span / speed <= 60) ?? speeds[speeds.length - 1]);
    bar.hidden = false;
    byId("replay-open").setAttribute("aria-expanded", "true");
    showMoment();
    resized();
  }

  /** Returns to the present. */
  function stop() {
    if (!events) return;
    for (const i of tweens.keys()) finishTween(i);
    isPlaying = false;
    seek(Infinity, false);
    marks = [];
    news = [];
    events = null;
    clock = "";
    bar.hidden = true;
    byId("replay-open").setAttribute("aria-expanded", "false");
    byId("replay-news").textContent = "";
    byId("as-of").textContent = subtitle;
    showAll();
    resized();
    scheduleURLUpdate();
  }

  function resized() {
    map.measure();
    map.draw();
  }

  function showMoment() {
    if (!events) return;
    const share = (moment - events.from) / (events.to - events.from);
    slider.value = String(Math.round(share * sliderSteps));
    const [text, zone] = timeInZone(moment, -1);
    const words = `${events.to - events.from > 3 * 86400e3 ? text.slice(0, 16) : text} ${zone}`;
    byId("replay-moment").textContent = words;
    if (clock !== "origin") byId("as-of").textContent = `as of ${words}`;
    slider.setAttribute("aria-valuetext", words);
  }

  /** Shows a description of the last event. */
  function showNews() {
    const last = news[news.length - 1];
    if (!last) return;
    const { i, revision, before, forwards } = last;
    const reason = revision < 0 ? "" : `: ${reasonText(data.words[data.history[i][revision][1]])}`;
    const grew = before.mag !== data.mag[i] ? `M ${magnitudeText(before.mag)} → ${magnitudeText(data.mag[i])}` : `M ${magnitudeText(data.mag[i])}`;
    const more = news.length > 1 ? `, and ${grouped(news.length - 1)} more` : "";
    byId("replay-news").textContent = `${forwards ? "" : "Stepped back: "}${grew} – ${placeOf(i)}${reason}${more}`;
    news = [];
  }

  if (!data.replay) {
    for (const option of clockChoice.options) option.disabled = option.value !== "origin";
    byId("replay-hint").hidden = false;
  } else if (data.replay.published === null) {
    for (const option of clockChoice.options) option.disabled = option.value === "published";
  }
  // Publication times are the default if known, because a cache that imported an archive recorded everything at once.
  const defaultClock = !data.replay ? "origin" : data.replay.published === null ? "recorded" : "published";
  byId("replay-open").addEventListener("click", () => {
    if (events) return stop();
    start(defaultClock);
    jump(-Infinity, false);
    playButton.focus();
  });
  byId("replay-close").addEventListener("click", () => {
    stop();
    byId("replay-open").focus();
  });
  playButton.addEventListener("click", () => setPlaying(!isPlaying));
  byId("replay-back").addEventListener("click", () => stepMoment(-1));
  byId("replay-step").addEventListener("click", () => stepMoment(1));
  slider.max = String(sliderSteps);
  slider.addEventListener("input", () => {
    if (!events) return;
    isPlaying && setPlaying(false);
    jump(events.from + (Number(slider.value) / sliderSteps) * (events.to - events.from), false);
  });
  clockChoice.addEventListener("change", () => start(clockChoice.value));
  urlParts.set("replay", {
    get: () => (events ? `${clock}:${new Date(moment).toISOString()}` : null),
    set(text) {
      const at = (text ?? "").indexOf(":");
      const name = (text ?? "").slice(0, Math.max(at, 0));
      const wanted = Date.parse((text ?? "").slice(at + 1));
      const isKnown = [...clockChoice.options].some((option) => option.value === name && !option.disabled);
      if (!isKnown || Number.isNaN(wanted)) return stop();
      start(name);
      if (wanted !== moment) jump(wanted, false);
    },
  });
  return {
    drawMarks,
    isOn: () => events !== null,
    isPlaying: () => isPlaying,
    moment: () => (events ? moment : null),
    momentOfOrigin: () => (events && clock === "origin" ? moment : null),
    momentOfPublication: () => (events && clock === "published" ? moment : null),
    knownRevisions: (/** @type {number} */ i) => applied()[i],
    show: showMoment,
    start, stop, jump, setPlaying, stepMoment,
    span: () => events && [events.from, events.to],
  };
})();
