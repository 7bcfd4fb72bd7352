// Runs beside each other: those that a scene compares, or two of any scene, of which one is changed.
import type { App } from './app';
import { byId, make } from './dom';
import { changesIn } from './share';

const nameOf = (path: string) => path.split('/').slice(-1)[0].replaceAll('_', ' ');

export class Comparison {
  // The first of two stays as it is; what is set goes to the second.
  frozen = false;
  private columns = 1;

  constructor(private readonly app: App) {
    byId('compare').onclick = () => void app.guard(this.toggle());
    byId<HTMLSelectElement>('runs').onchange = () => void app.guard(this.choose());
    addEventListener('resize', () => this.relabel());
  }

  // A new scene, or another arrangement of the same.
  loaded(): void {
    const { app } = this, several = app.panes.length > 1;
    if (!several) this.frozen = false;
    byId('compare').setAttribute('aria-pressed', String(several));
    const { runs } = app.loaded!;
    byId('variant').hidden = runs.length === 0;
    const select = byId<HTMLSelectElement>('runs');
    select.replaceChildren(make('option', { value: 'all' }, 'all, beside each other'), ...runs.map(({ label }, i) => make('option', { value: i }, label)));
    const made = runs.findIndex((run) => [...changesIn(run.changes)].every(([path, value]) => app.current!.changes.get(path) === value));
    select.value = several && !this.frozen ? 'all' : made < 0 ? '' : String(made);
    this.relabel();
  }

  async showAll(): Promise<void> {
    const { runs, columns } = this.app.loaded!;
    const narrow = innerWidth < 760 && columns > 2 ? 2 : columns;
    this.columns = columns > 4 ? 3 : narrow; // rows of a list are broken
    this.frozen = false;
    for (const run of runs) for (const path of changesIn(run.changes).keys()) this.app.current!.changes.delete(path);
    await this.app.loadBeside(runs.map((run) => run.changes), this.columns, 0);
  }

  async reload(own: string[][]): Promise<void> {
    await this.app.loadBeside(own, this.columns, this.app.active);
  }

  private async choose(): Promise<void> {
    const { app } = this, value = byId<HTMLSelectElement>('runs').value;
    if (value === 'all') return this.showAll();
    const next = new Map([...app.current!.changes, ...changesIn(app.loaded!.runs[Number(value)].changes)]);
    await app.load({ ...app.current!, changes: next }, true);
  }

  private async toggle(): Promise<void> {
    const { app } = this;
    if (app.panes.length > 1) return app.load(app.current!, true);
    this.frozen = true;
    this.columns = app.canvas.clientWidth > app.canvas.clientHeight ? 2 : 1;
    await app.loadBeside([[], []], this.columns, 1);
  }

  // What each of them is, at the top of its place.
  relabel(): void {
    const host = byId('labels'), { app } = this;
    host.replaceChildren();
    if (app.panes.length < 2) return;
    app.panes.forEach((pane, i) => {
      const { left, top, width, height } = app.stage.areaOf(i);
      const changed = [...pane.own].map(([path, value]) => `${nameOf(path)} ${value.replaceAll('"', '')}`).join(', ');
      const text = !this.frozen ? app.loaded!.runs[i].label : changed || (i === 0 ? 'as it was' : 'change a value: it acts here');
      const label = make('span', { class: 'label' }, text);
      label.style.cssText = `left: ${left + width / 2}px; bottom: ${app.canvas.clientHeight - top - height + 8}px; max-width: ${width - 16}px`;
      host.append(label);
    });
  }
}
