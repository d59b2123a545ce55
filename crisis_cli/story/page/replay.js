"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = (id) => document.getElementById(id);
  const last = data.steps.length, zero = data.zero;
  const cells = data.cells.slice();
  let at = 0, timer = 0, link = 0;

  const show = (cell) => {
    const [kind, fighter] = data.kinds[cell], value = cells[cell];
    if (kind === "at") {
      const mark = get("f" + fighter);
      mark.setAttribute("visibility", value ? "visible" : "hidden");
      if (value) mark.setAttribute("transform", `translate(${value[0]} ${value[1]})`);
      else mark.removeAttribute("transform");
      return;
    }
    get("c" + cell).textContent = typeof value === "number" ? String(value).replace("-", "\u2212") : value;
    const meter = get("m" + cell);
    if (meter) meter.value = value;
  };
  const node = (name, text, set) => {
    const made = document.createElement(name);
    made.textContent = text;
    Object.assign(made, set || {});
    return made;
  };
  const where = (fighter) => {
    const cell = data.kinds.findIndex(([kind, whose]) => kind === "at" && whose === fighter);
    return cell < 0 ? null : cells[cell];
  };

  const showEvent = () => {
    const box = get("event"), step = at ? data.steps[at - 1] : null;
    box.replaceChildren();
    if (!step) {
      box.append(node("p", "Before the first entry."));
    } else {
      for (const child of get("e" + (at + zero)).children) box.append(child.cloneNode(true));
      for (const [what, faces] of step.rolls) {
        const line = node("p", what + ": ");
        for (const face of faces) {
          const die = node("span", face, { className: "die" });
          die.setAttribute("aria-label", what + ": " + face);
          die.setAttribute("role", "img");
          line.append(die);
        }
        box.append(line);
      }
      if (step.odds) {
        const [hit, down, harm, came] = step.odds;
        const bar = node("div", "", { className: "bar" }), part = node("div", "");
        part.style.width = (100 * hit).toFixed(1) + "%";
        bar.setAttribute("aria-hidden", "true");
        bar.append(part);
        const percent = (p) => (100 * p).toFixed(p && p < 0.1 ? 1 : 0) + " %";
        box.append(node("p", `Before the dice: ${percent(hit)} to hit, ${percent(down)} to bring somebody down, ` +
          `mean harm ${harm.toFixed(1)}. It came to: ${came}.`), bar);
      }
    }
    const aim = get("aim");
    if (aim) {
      const from = step && step.aim ? where(step.aim[0]) : null, to = step && step.aim ? where(step.aim[1]) : null;
      aim.setAttribute("visibility", from && to ? "visible" : "hidden");
      aim.setAttribute("class", step && step.aim && !step.aim[2] ? "miss" : "");
      const ends = from && to ? [...from, ...to] : [0, 0, 0, 0];
      ["x1", "y1", "x2", "y2"].forEach((end, number) => aim.setAttribute(end, ends[number]));
    }
  };

  const go = (to, quiet) => {
    to = Math.max(0, Math.min(last, to));
    for (; at < to; at++) for (const [cell, , now] of data.steps[at].set) { cells[cell] = now; show(cell); }
    for (; at > to; at--) for (const [cell, was] of data.steps[at - 1].set.slice().reverse()) { cells[cell] = was; show(cell); }
    document.querySelectorAll("[aria-current]").forEach((one) => one.removeAttribute("aria-current"));
    const line = at ? get("e" + (at + zero)) : null, log = get("log");
    if (line) {
      line.setAttribute("aria-current", "step");
      const top = line.getBoundingClientRect().top - log.getBoundingClientRect().top + log.scrollTop;
      if (top < log.scrollTop || top + line.offsetHeight > log.scrollTop + log.clientHeight) log.scrollTop = top - 40;
    } else log.scrollTop = 0;
    const acting = at ? data.steps[at - 1].acting : [];
    document.querySelectorAll(".fighter").forEach((one, number) => one.classList.toggle("acting", acting.includes(number)));
    const round = at ? data.steps[at - 1].round : data.first;
    get("now").textContent = `Round ${round}, entry ${at + zero} of ${last + zero}`;
    get("place").value = at;
    get("rounds").value = String(round);
    showEvent();
    get("said").textContent = quiet || !line ? "" : line.firstElementChild.textContent;
    // A key that is held down would change the address more often than browsers allow.
    clearTimeout(link);
    link = setTimeout(() => history.replaceState(null, "", at ? "#e" + (at + zero) : location.pathname + location.search), 100);
  };

  const stop = () => { clearInterval(timer); timer = 0; get("play").textContent = "Play"; };
  const play = () => {
    if (timer) return stop();
    if (at === last) go(0, true);
    get("play").textContent = "Pause";
    timer = setInterval(() => { if (at === last) stop(); else go(at + 1, true); }, 1600 / Number(get("speed").value));
  };
  const move = (to) => { stop(); go(to); };
  const round = (by) => {
    const now = at ? data.steps[at - 1].round : data.first - 1;
    if (by > 0) { const next = data.steps.findIndex((one) => one.round > now); return move(next < 0 ? last : next + 1); }
    const here = data.steps.findIndex((one) => one.round === now) + 1;
    if (at > here) return move(here);
    return move(Math.max(0, data.steps.findIndex((one) => one.round === now - 1) + 1));
  };
  const turning = () => {
    const next = data.turning.find((entry) => entry > at) || data.turning[0];
    if (next) move(next);
  };

  get("first").onclick = () => move(0);
  get("back").onclick = () => move(at - 1);
  get("play").onclick = play;
  get("on").onclick = () => move(at + 1);
  get("last").onclick = () => move(last);
  get("turn").onclick = turning;
  get("place").oninput = () => move(Number(get("place").value));
  get("rounds").onchange = () => move(data.steps.findIndex((one) => one.round === Number(get("rounds").value)) + 1);
  get("speed").onchange = () => { if (timer) { stop(); play(); } };
  const keys = {
    ArrowRight: (e) => e.shiftKey ? round(1) : move(at + 1), ArrowLeft: (e) => e.shiftKey ? round(-1) : move(at - 1),
    PageDown: () => round(1), PageUp: () => round(-1), Home: () => move(0), End: () => move(last),
    " ": play, t: turning, "?": () => { get("help").open = !get("help").open; },
  };
  document.addEventListener("keydown", (event) => {
    const name = event.target.tagName;
    if (event.ctrlKey || event.altKey || event.metaKey || name === "SELECT" || name === "INPUT") return;
    if (event.key === " " && (name === "BUTTON" || name === "SUMMARY" || name === "A")) return;
    if (keys[event.key]) { event.preventDefault(); keys[event.key](event); }
  });
  const fromHash = (hash) => { const found = /^#e(\d+)$/.exec(hash); if (found) move(Number(found[1]) - zero); };
  // The browser scrolls to the entry in the log: back to the board, which shows it.
  const showStage = () => get("stage").scrollIntoView();
  addEventListener("hashchange", () => { fromHash(location.hash); showStage(); });
  document.documentElement.classList.add("js");
  const asked = location.hash;
  cells.forEach((_, cell) => show(cell));
  go(0, true);
  fromHash(asked);
  if (at) addEventListener("load", () => setTimeout(showStage, 0));
})();
