// ---- Time and hands ----------------------------------------------------------------------------------
const last = frameCount - 1, scrub = find('scrub'), clock = find('clock');
scrub.max = last;
function show() {
  const frame = Math.min(Math.round(moment), last);
  scrub.value = frame;
  scrub.style.setProperty('--done', (last ? 100 * moment / last : 100) + '%');
  clock.textContent = (moment * model.interval).toFixed(2) + ' s · ' + frame + ' / ' + last;
  const shape = playing ? 'M2 1h3.5v12H2zM8.5 1H12v12H8.5z' : 'M3 1l10 6-10 6z';
  find('play').innerHTML = '<svg width="14" height="14"><path d="' + shape + '"/></svg>';
  dirty = true;
}
function play(on) { playing = on && last > 0; if (playing && moment >= last) moment = 0; show(); }
function seek(frame) { playing = false; moment = Math.max(0, Math.min(last, frame)); show(); }
function setMesh(on) { showMesh = on; find('mesh').setAttribute('aria-pressed', on); dirty = true; }
function fromAddress() {  // #frame=80 stands still there
  const asked = /frame=(\d+)/.exec(location.hash);
  if (/mesh/.test(location.hash)) setMesh(true);
  if (asked) seek(Number(asked[1]));
}
find('play').onclick = () => play(!playing); find('mesh').onclick = () => setMesh(!showMesh);
scrub.oninput = () => seek(Number(scrub.value));
addEventListener('hashchange', fromAddress); addEventListener('resize', () => dirty = true);
addEventListener('keydown', event => {
  if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); play(!playing); }
  if (event.key === 'm') setMesh(!showMesh);
  if (event.target !== scrub && event.key === 'ArrowLeft') seek(Math.ceil(moment) - 1);
  if (event.target !== scrub && event.key === 'ArrowRight') seek(Math.floor(moment) + 1);
});

const fingers = new Map();
function zoom(factor) { untouched = false; view.distance = Math.max(.1, Math.min(8, view.distance * factor)); dirty = true; }
canvas.onpointerdown = event => { fingers.set(event.pointerId, event); canvas.setPointerCapture(event.pointerId); };
canvas.onpointerup = canvas.onpointercancel = event => fingers.delete(event.pointerId);
canvas.onpointermove = event => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  untouched = false;
  const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
  if (fingers.size === 2) {
    const other = [...fingers.values()].find(f => f.pointerId !== event.pointerId);
    const gap = f => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY);
    zoom(gap(before) / Math.max(gap(event), 1));
  } else if (event.shiftKey || before.buttons & 2) {
    const s = 1.9 * radius * view.distance / innerHeight, right = [Math.cos(view.yaw), 0, -Math.sin(view.yaw)];
    view.target = add(add(view.target, right, -dx * s), [0, 1, 0], dy * s);
  } else {
    view.yaw -= dx * .006; view.pitch = Math.max(.02, Math.min(1.5, view.pitch + dy * .006));
  }
  fingers.set(event.pointerId, event); dirty = true;
};
canvas.oncontextmenu = event => event.preventDefault();
canvas.ondblclick = () => { untouched = true; dirty = true; };
canvas.addEventListener('wheel', event => { event.preventDefault(); zoom(Math.exp(event.deltaY * .0012)); }, {passive: false});

let then = 0;
function tick(now) {
  if (playing) {
    moment += Math.min((now - then) / 1000, .1) / model.interval;
    if (moment > last) moment = 0;
    show();
  }
  then = now;
  if (dirty) { dirty = false; render(); }
  requestAnimationFrame(tick);
}
play(true); fromAddress(); requestAnimationFrame(tick);
