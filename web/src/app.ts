// The page as a whole: loads scenes, keeps time, and joins the parts.
import { CallFailure, Client, Ended } from './client';
import { Comparison } from './comparison';
import { covered, setUpControls, showShown, showSwitches } from './controls';
import { byId } from './dom';
import { Doing } from './doing';
import { Gallery, opened } from './gallery';
import { Hand } from './hand';
import { Lesson } from './lesson';
import { Meters } from './meters';
import { Panel } from './panel';
import { ownBuffers, type Calls, type Frame, type Loaded, type MeshFile, type Parameter, type Readings, type Show } from './protocol';
import { SceneTools } from './scene_tools';
import type { SchemaReader } from './schema';
import { changesIn, readLink, type Link } from './share';
import { Stage } from './stage';

const mostSteps = 2; // at once: a slow machine runs slower, and the page goes on
const patience = 3; // s without an answer, after which the page says what it waits for

export interface Current {
  name: string;
  text: string;
  files: MeshFile[];
  changes: Map<string, string>; // what was set, by path
}

// One of the scenes that run beside each other; most often there is only one.
export interface Pane {
  own: Map<string, string>; // what sets it apart from the others, by path
  shown: Frame | null;
  spare: Frame | null;
}

const newPane = (own: string[] = []): Pane => ({ own: changesIn(own), shown: null, spare: null });

export class App {
  readonly canvas = byId<HTMLCanvasElement>('canvas');
  readonly stage = new Stage(this.canvas, covered);
  readonly gallery = new Gallery((name) => void this.guard(this.open(name, undefined, true)));
  readonly hand: Hand;
  client = new Client();
  current: Current | null = null;
  loaded: Loaded | null = null;
  panes: Pane[] = [newPane()];
  active = 0; // the pane that parameters and readings are of
  running = true;
  bodies: string[] = [];
  show: Show = { wireframe: false, tetrahedra: false, quantity: 'none' };
  private readonly meters = new Meters();
  private readonly panel = new Panel((path, value) => this.set(path, value), (failure) => this.report(failure));
  private readonly tools: SceneTools;
  private readonly comparison: Comparison;
  private readonly lesson: Lesson;
  private readonly doing: Doing;
  private timeStep = 1 / 60;
  private due = 0; // s of the scene's time that the clock is ahead
  private busy = false;
  private milliseconds = 0;
  private counter = 0;
  private now = 0;
  private repaired = 0;

  constructor(private readonly say: (text: string) => void) {
    this.hand = new Hand(this.canvas, this.stage, {
      grab: (pane, origin, reach) => this.client.call('grab', { origin, reach }, pane),
      drag: (pane, particle, point) => void this.quietly(this.client.call('drag', { particle, point }, pane)),
      release: (pane, particle) => void this.quietly(this.client.call('release', { particle }, pane)),
    });
    this.tools = new SceneTools(this);
    this.comparison = new Comparison(this);
    this.lesson = new Lesson(this);
    this.doing = new Doing(this);
    setUpControls(this);
    this.watchContext();
  }

  // What was there before the first frame, for tests and for what looks at one scene.
  get shown(): Frame | null {
    return this.panes[this.active].shown;
  }

  // The graphics card may go away and come back: three.js then uploads everything again.
  private watchContext(): void {
    let ran = false;
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      ran = this.running;
      this.run(false);
      this.say('The browser took the graphics context away. It comes back by itself, or reload the page.');
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      byId('notice').hidden = true;
      this.stage.dirty = true;
      this.run(ran);
    });
  }

  async start(): Promise<void> {
    await Promise.all([this.client.ready, this.gallery.load()]);
    this.client.onProgress = (share, stage) => this.tools.progress(share, stage);
    addEventListener('hashchange', () => void this.guard(this.openLink()));
    await this.guard(this.openLink());
    const tick = (time: number) => {
      this.advance(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  // ---- Scenes ----

  private async openLink(): Promise<void> {
    const link: Link = await readLink(location.hash);
    if (link.open) await this.load({ ...(await opened(link.open)), changes: link.changes });
    else if (link.text !== undefined) await this.load({ name: link.scene, text: link.text, files: [], changes: link.changes });
    else await this.open(link.scene || this.gallery.first.name, link.scene ? link.changes : changesIn(this.gallery.first.changes), link.changes.size === 0);
  }

  // beside: runs that the scene compares are shown beside each other.
  async open(name: string, changes = new Map<string, string>(), beside = false): Promise<void> {
    const { text, files } = await this.gallery.scene(name);
    await this.load({ name, text, files, changes });
    if (beside && this.loaded!.runs.length > 1) await this.comparison.showAll();
  }

  private request(scene: Current, own: Map<string, string>): Calls['load']['takes'] {
    const changes = [...new Map([...scene.changes, ...own])].map(([path, value]) => `${path.slice(1)}=${value}`); // as --set has them
    return { name: scene.name, text: scene.text, changes, files: scene.files };
  }

  // Until it is there, what was there goes on.
  async load(scene: Current, keepCamera = false): Promise<void> {
    const loaded = await this.client.call('load', this.request(scene, new Map()));
    const same = keepCamera && this.current !== null;
    this.current = scene;
    this.loaded = loaded;
    this.bodies = loaded.bodies;
    this.timeStep = loaded.time_step;
    const before = this.arrange([newPane()], 1, 0);
    this.adopt(0, loaded);
    for (let i = 1; i < before; i++) await this.client.call('forget', {}, i);
    if (!same) this.stage.resetCamera();
    await this.reshow();
    byId('title').textContent = scene.name.replaceAll('_', ' ');
    byId('about').textContent = loaded.about;
    byId('engine').textContent = `Pliant ${loaded.version} in WebAssembly (${loaded.target}), ${loaded.threads > 1 ? `on ${loaded.threads} threads` : 'in a worker of its own'}.`;
    this.gallery.mark(scene.name);
    this.tools.loaded(scene, loaded.warnings);
    await this.doing.loaded();
    await this.begun();
  }

  // Several runs of the same scene, each with what sets it apart. active: which one parameters are of.
  async loadBeside(own: string[][], columns: number, active: number): Promise<void> {
    const panes = own.map(newPane), scene = this.current!;
    const loaded = [];
    for (const [i, pane] of panes.entries()) loaded.push(await this.client.call('load', this.request(scene, pane.own), i));
    const before = this.arrange(panes, columns, active);
    loaded.forEach((one, i) => this.adopt(i, one));
    for (let i = panes.length; i < before; i++) await this.client.call('forget', {}, i);
    this.stage.resetCamera();
    await this.reshow();
    await this.begun();
  }

  // At once: no frame of a new scene may meet the picture of an old one. Answers how many there were.
  private arrange(panes: Pane[], columns: number, active: number): number {
    const before = this.panes.length;
    this.hand.forget();
    this.panes = panes;
    this.active = active;
    this.stage.arrange(panes.length, columns);
    return before;
  }

  private async begun(): Promise<void> {
    this.due = this.repaired = 0;
    this.meters.clear();
    this.comparison.loaded();
    await this.lesson.loaded();
    await this.refresh();
  }

  private adopt(pane: number, drawn: Calls['show']['gives']): void {
    this.hand.forget();
    this.panes[pane].shown = drawn.frame;
    this.panes[pane].spare = null;
    this.stage.pictures[pane].build(drawn.layout, drawn.indices, drawn.frame, this.show.wireframe);
    this.stage.dirty = true;
    showShown(this, drawn.layout.scale);
  }

  private async reshow(): Promise<void> {
    if (this.show.wireframe || this.show.tetrahedra || this.show.quantity !== 'none') await this.setShow(this.show);
  }

  async setShow(show: Show): Promise<void> {
    this.show = show;
    await this.each(async (i) => this.adopt(i, await this.client.call('show', show, i)));
    this.lesson.draw();
  }

  schema(): Promise<SchemaReader> {
    return this.doing.schema();
  }

  // ---- Parameters ----

  // Beside each other, a value is set in all runs but those that a value of their own sets apart; where two are
  // compared, in the second.
  private takers(path: string): number[] {
    if (this.comparison.frozen) return [this.active];
    return this.panes.map((_, i) => i).filter((i) => !this.panes[i].own.has(path));
  }

  async set(path: string, value: string): Promise<'at once' | 'after restart'> {
    const current = this.current!, before = new Map(current.changes);
    let effect: 'at once' | 'after restart' = 'at once';
    for (const i of this.takers(path)) {
      if ((await this.client.call('set', { path, value }, i)).effect === 'after restart') effect = 'after restart';
    }
    if (this.comparison.frozen) this.panes[this.active].own.set(path, value);
    else current.changes.set(path, value);
    if (effect === 'after restart') {
      try {
        await this.reload();
      } catch (failure) {
        current.changes = before;
        this.panes[this.active].own.delete(path);
        throw failure;
      }
    } else if (!/^[\d.e+-]+$/.test(value)) {
      await this.refresh(); // another method or energy has other fields
    }
    if (path === '/solver/time_step') this.timeStep = Number(value);
    this.comparison.relabel();
    return effect;
  }

  // The same panes again, with what was set.
  private async reload(): Promise<void> {
    if (this.panes.length === 1) return this.load(this.current!, true);
    const own = this.panes.map((pane) => [...pane.own].map(([path, value]) => `${path.slice(1)}=${value}`));
    await this.comparison.reload(own);
  }

  async refresh(): Promise<void> {
    const parameters = await this.parameters();
    this.panel.show(parameters, this.bodies);
    showSwitches(parameters);
    await this.showReadings();
  }

  async parameters(): Promise<Parameter[]> {
    return (await this.client.call('parameters', {}, this.active)).parameters;
  }

  async perform(event: unknown): Promise<void> {
    await this.each(async (i) => this.put(i, (await this.client.call('perform', { event }, i)).frame));
  }

  // ---- Time ----

  run(on: boolean): void {
    this.running = on;
    this.due = 0;
    byId('run').textContent = on ? 'Pause' : 'Run';
  }

  async restart(): Promise<void> {
    this.hand.forget();
    await this.each(async (i) => this.put(i, (await this.client.call('reset', {}, i)).frame));
    this.meters.clear();
    await this.lesson.restarted();
    await this.showReadings();
  }

  async step(frames: number): Promise<void> {
    await this.each(async (i) => {
      const targets = this.hand.targets(i);
      const { frame, milliseconds } = await this.client.call('tick', { steps: frames, spare: null }, i);
      if (i === this.active) this.milliseconds = milliseconds;
      this.put(i, frame);
      this.hand.follow(targets);
    });
    await this.lesson.follow();
    await this.showReadings();
  }

  readings(pane = this.active): Promise<Readings> {
    return this.client.call('readings', {}, pane);
  }

  private advance(time: number): void {
    if (this.running && this.current) this.due = Math.min(this.due + (time - this.now) / 1000, mostSteps * this.timeStep);
    this.now = time;
    this.showWait();
    const steps = Math.floor(this.due / this.timeStep + 1e-6);
    if (steps > 0 && !this.busy) {
      this.due -= steps * this.timeStep;
      void this.guard(this.tick(steps));
    }
    this.stage.render();
  }

  // While nothing moves, what is waited for, and a way out.
  private showWait(): void {
    const seconds = Math.floor(this.client.waited);
    byId('wait').hidden = seconds < patience;
    if (seconds >= patience) byId('wait-text').textContent = `The engine has been at work for ${seconds} s.`;
  }

  // What takes too long is given up: the engine starts again with what was there, at rest.
  async stop(): Promise<void> {
    this.run(false);
    await this.revive('The engine was stopped, and started again. The scene stands at its start.\nFewer substeps, or something smaller, take less time.');
  }

  private async tick(steps: number): Promise<void> {
    this.busy = true;
    const panes = this.panes;
    try {
      await this.each(async (i) => {
        const pane = panes[i], spare = pane.spare, targets = this.hand.targets(i);
        pane.spare = null;
        const { frame, milliseconds } = await this.client.call('tick', { steps, spare }, i);
        if (panes !== this.panes) return;
        if (i === this.active) this.milliseconds += 0.1 * (milliseconds - this.milliseconds);
        this.put(i, frame);
        this.hand.follow(targets);
      });
      if (panes !== this.panes) return;
      await this.lesson.follow();
      if (this.counter++ % 6 === 0) await this.showReadings();
    } finally {
      this.busy = false;
    }
  }

  private put(index: number, frame: Frame): void {
    const pane = this.panes[index];
    if (!pane || (pane.shown && frame.positions.length !== pane.shown.positions.length)) return; // of another scene
    pane.spare = pane.shown && ownBuffers(pane.shown).length > 0 ? pane.shown : null;
    pane.shown = frame;
    this.stage.pictures[index].update(frame);
    this.stage.dirty = true;
  }

  private async each(work: (pane: number) => Promise<void>): Promise<void> {
    await Promise.all(this.panes.map((_, i) => work(i)));
  }

  private async showReadings(): Promise<void> {
    const readings = await this.readings();
    this.meters.show(readings, this.milliseconds);
    if (readings.repaired > this.repaired) {
      this.say(`Numbers left their range at ${readings.repaired} particles, which were set back where they were last seen.\nMore substeps, a softer material or Restart (r) help.`);
    }
    this.repaired = readings.repaired;
  }

  // ---- What goes wrong ----

  async guard(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (failure) {
      this.report(failure);
    }
  }

  // A hand may let go of what a restart took from it.
  private async quietly(work: Promise<unknown>): Promise<void> {
    await work.catch(() => undefined);
  }

  report(failure: unknown): void {
    if (failure instanceof Ended) return;
    const text = failure instanceof Error ? failure.message : String(failure);
    if (!(failure instanceof CallFailure && failure.fatal)) return this.say(text);
    const why = /abort|memory|unreachable|out of bounds/i.test(text) ? 'most likely for want of memory' : text;
    void this.revive(`The engine stopped: ${why}.\nIt was started again; choose a scene, or something smaller.`);
  }

  // A new engine takes the place of one that ended, with what was there last.
  private async revive(text: string): Promise<void> {
    this.client.end();
    this.client = new Client();
    this.client.onProgress = (share, stage) => this.tools.progress(share, stage);
    this.busy = false;
    const before = this.current;
    this.current = null;
    this.panes = [newPane()];
    this.say(text);
    await this.client.ready;
    if (before) await this.load(before, true).catch(() => undefined);
  }
}
