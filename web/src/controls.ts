// Buttons, keys, tabs, and light or dark.
import type { App } from './app';
import { byId, make } from './dom';
import type { Parameter } from './protocol';
import type { Covered } from './stage';

const earth = '[0, -9.81, 0]', none = '[0, 0, 0]';
let gravity = earth; // that the scene had before it was switched off

async function squash(app: App): Promise<void> {
  for (const body of app.bodies) await app.perform({ squash: { body, height: 0.01, seconds: 0.1 } });
}

function pressed(button: HTMLElement): boolean {
  return button.getAttribute('aria-pressed') === 'true';
}

async function toggleGravity(app: App): Promise<void> {
  const on = pressed(byId('gravity'));
  await app.set('/solver/gravity', on ? none : gravity);
}

async function toggleWind(app: App): Promise<void> {
  const on = !pressed(byId('wind'));
  await app.set('/solver/air_density', on ? '1.2' : '0');
  await app.set('/solver/wind', on ? '[6, 2, -2]' : none);
}

// What stands before the canvas: heading, controls, and what is said of an exact answer.
export function covered(): Covered {
  const view = byId('view'), bar = byId('bar'), lesson = byId('lesson'), { top, height } = byId('heading').getBoundingClientRect();
  const isBelow = lesson.offsetTop > view.clientHeight / 3, lowest = lesson.hidden || !isBelow ? bar : lesson;
  return {
    top: top - view.getBoundingClientRect().top + height + 6, right: lesson.hidden || isBelow ? 0 : view.clientWidth - lesson.offsetLeft,
    bottom: view.clientHeight - lowest.offsetTop,
  };
}

// Buttons tell what the scene has.
export function showSwitches(parameters: Parameter[]): void {
  const value = (path: string) => parameters.find((one) => one.path === path)?.value;
  const some = (v: unknown) => Array.isArray(v) && v.some((x) => x !== 0);
  const pull = value('/solver/gravity');
  if (some(pull)) gravity = JSON.stringify(pull);
  byId('gravity').setAttribute('aria-pressed', String(some(pull)));
  byId('wind').setAttribute('aria-pressed', String(Number(value('/solver/air_density')) > 0 && some(value('/solver/wind'))));
}

// What colours may mean, as the engine lists it, and the ends of the scale.
export function showShown(app: App, scale: { low: number; high: number } | null): void {
  const select = byId<HTMLSelectElement>('show-quantity'), names = app.loaded?.quantities ?? [];
  if (select.childElementCount !== names.length + 1)
    select.replaceChildren(make('option', { value: 'none' }, 'of the body'), ...names.map((name) => make('option', { value: name }, name)));
  select.value = app.show.quantity;
  byId('legend').hidden = !scale;
  if (scale) byId('legend-high').textContent = `${scale.high}${app.show.quantity === 'speed' ? ' m/s' : ''}`;
}

function setUpTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  const select = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute('aria-controls')!).hidden = tab !== chosen;
    }
  };
  tabs.forEach((tab, i) => {
    tab.onclick = () => select(tab);
    tab.onkeydown = (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      const next = tabs[(i + way + tabs.length) % tabs.length];
      select(next);
      next.focus();
    };
  });
}

function setUpTheme(app: App): void {
  const asked = matchMedia('(prefers-color-scheme: dark)');
  const apply = (dark: boolean) => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    byId('theme').setAttribute('aria-pressed', String(dark));
    app.stage.setTheme(dark);
  };
  apply(asked.matches);
  asked.addEventListener('change', () => apply(asked.matches));
  byId('theme').onclick = () => apply(!pressed(byId('theme')));
}

// With the view in focus: arrows turn it, + and - go nearer and further, 0 goes back.
function setUpCameraKeys(app: App): void {
  const turns: Record<string, [number, number, number?]> = {
    ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1], '+': [0, 0, 1.1], '-': [0, 0, 1 / 1.1],
  };
  app.canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '0') app.stage.resetCamera();
    else if (turns[event.key]) app.stage.turn(...turns[event.key]);
    else return;
    event.preventDefault();
  });
}

export function setUpControls(app: App): void {
  const actions: Record<string, () => Promise<void> | void> = {
    run: () => app.run(!app.running),
    step: () => {
      app.run(false);
      return app.step(1);
    },
    restart: () => app.restart(),
    squash: () => squash(app),
    gravity: () => toggleGravity(app),
    wind: () => toggleWind(app),
    compare: () => byId('compare').click(),
    help: () => byId<HTMLDialogElement>('help').showModal(),
    theme: () => byId('theme').click(),
  };
  const act = (name: string) => void app.guard(Promise.resolve(actions[name]()));
  for (const name of ['run', 'step', 'restart', 'squash', 'gravity', 'wind']) byId(name).onclick = () => act(name);
  byId('help-open').onclick = () => act('help');
  const keys: Record<string, string> = { ' ': 'run', '.': 'step', r: 'restart', s: 'squash', g: 'gravity', w: 'wind', c: 'compare', d: 'theme', '?': 'help' };
  setUpCameraKeys(app);
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const name = keys[event.key];
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || (event.key === ' ' && /^(BUTTON|SUMMARY)$/.test(target.tagName));
    if (!name || typing || byId<HTMLDialogElement>('help').open || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(name);
  });
  const show = () => ({
    wireframe: byId<HTMLInputElement>('show-wireframe').checked,
    tetrahedra: byId<HTMLInputElement>('show-tetrahedra').checked,
    quantity: byId<HTMLSelectElement>('show-quantity').value,
  });
  for (const id of ['show-wireframe', 'show-tetrahedra', 'show-quantity']) byId(id).onchange = () => void app.guard(app.setShow(show()));
  byId('wait-stop').onclick = () => void app.guard(app.stop());
  byId('notice-close').onclick = () => (byId('notice').hidden = true);
  app.canvas.ondblclick = () => app.stage.resetCamera();
  setUpTabs();
  setUpTheme(app);
}
