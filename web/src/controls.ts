// Buttons, keys, tabs, and light or dark.
import type { App } from './app';
import { byId } from './dom';
import type { Parameter, Show } from './protocol';

const normal = '[0, -9.81, 0]', none = '[0, 0, 0]';

async function squash(app: App): Promise<void> {
  for (const body of app.bodies) await app.perform({ squash: { body, height: 0.01, seconds: 0.1 } });
}

function pressed(button: HTMLElement): boolean {
  return button.getAttribute('aria-pressed') === 'true';
}

async function toggleGravity(app: App): Promise<void> {
  const off = pressed(byId('gravity'));
  await app.set('/solver/gravity', off ? none : normal);
}

async function toggleWind(app: App): Promise<void> {
  const on = !pressed(byId('wind'));
  await app.set('/solver/air_density', on ? '1.2' : '0');
  await app.set('/solver/wind', on ? '[6, 2, -2]' : none);
}

// Buttons tell what the scene has.
export function showSwitches(parameters: Parameter[]): void {
  const value = (path: string) => parameters.find((one) => one.path === path)?.value;
  const some = (v: unknown) => Array.isArray(v) && v.some((x) => x !== 0);
  byId('gravity').setAttribute('aria-pressed', String(some(value('/solver/gravity'))));
  byId('wind').setAttribute('aria-pressed', String(Number(value('/solver/air_density')) > 0 && some(value('/solver/wind'))));
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
  };
  const act = (name: string) => void app.guard(Promise.resolve(actions[name]()));
  for (const name of Object.keys(actions)) byId(name).onclick = () => act(name);
  const keys: Record<string, string> = { ' ': 'run', '.': 'step', r: 'restart', s: 'squash', g: 'gravity', w: 'wind' };
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const name = keys[event.key];
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || (event.key === ' ' && /^(BUTTON|SUMMARY)$/.test(target.tagName));
    if (!name || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(name);
  });
  const show = () => ({
    wireframe: byId<HTMLInputElement>('show-wireframe').checked,
    tetrahedra: byId<HTMLInputElement>('show-tetrahedra').checked,
    quantity: byId<HTMLSelectElement>('show-quantity').value as Show['quantity'],
  });
  for (const id of ['show-wireframe', 'show-tetrahedra', 'show-quantity']) byId(id).onchange = () => void app.guard(app.setShow(show()));
  byId('notice-close').onclick = () => (byId('notice').hidden = true);
  app.canvas.ondblclick = () => app.stage.resetCamera();
  setUpTabs();
  setUpTheme(app);
}
