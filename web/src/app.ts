// The page as a whole: loads scenes, keeps time, and joins the parts.
import { CallFailure, Client } from './client';
import { setUpControls, showSwitches } from './controls';
import { byId, make } from './dom';
import { Gallery, opened } from './gallery';
import { Hand, type Grip } from './hand';
import { Meters } from './meters';
import { Panel } from './panel';
import type { Calls, Frame, Loaded, MeshFile, Parameter, Readings, Show, Triple } from './protocol';
import { SceneTools } from './scene_tools';
import { changesIn, readLink, type Link } from './share';
import { Stage } from './stage';

const mostSteps = 2; // at once: a slow machine runs slower, and the page goes on

export interface Current {
  name: string;
  text: string;
  files: MeshFile[];
  changes: Map<string, string>; // what was set, by path
}

export class App {
  readonly canvas = byId<HTMLCanvasElement>('canvas');
  readonly stage = new Stage(this.canvas);
  readonly gallery = new Gallery((name) => void this.guard(this.open(name)));
  client = new Client();
  current: Current | null = null;
  running = true;
  bodies: string[] = [];
  private readonly meters = new Meters();
  private readonly panel = new Panel((path, value) => this.set(path, value), (failure) => this.report(failure));
  private readonly hand: Hand;
  private readonly tools: SceneTools;
  private show: Show = { wireframe: false, tetrahedra: false, quantity: 'none' };
  private timeStep = 1 / 60;
  private due = 0; // s of the scene's time that the clock is ahead
  private spare: Frame | null = null;
  private shown: Frame | null = null;
  private busy = false;
  private milliseconds = 0;
  private counter = 0;
  private now = 0;

  constructor(private readonly say: (text: string) => void) {
    this.hand = new Hand(this.canvas, this.stage, {
      grab: (origin, reach) => this.grab(origin, reach),
      drag: (particle, point) => void this.quietly(this.client.call('drag', { particle, point })),
      release: (particle) => void this.quietly(this.client.call('release', { particle })),
    });
    this.tools = new SceneTools(this);
    setUpControls(this);
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.running = false;
      this.say('The browser took the graphics context away. It comes back by itself, or reload the page.');
    });
    this.canvas.addEventListener('webglcontextrestored', () => (byId('notice').hidden = true));
  }

  async start(): Promise<void> {
    await Promise.all([this.client.ready, this.gallery.load()]);
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
    else await this.open(link.scene || this.gallery.first.name, link.scene ? link.changes : changesIn(this.gallery.first.changes));
  }

  async open(name: string, changes = new Map<string, string>()): Promise<void> {
    const { text, files } = await this.gallery.scene(name);
    await this.load({ name, text, files, changes });
  }

  // Until it is there, what was there goes on.
  async load(scene: Current, keepCamera = false): Promise<void> {
    const changes = [...scene.changes].map(([path, value]) => `${path.slice(1)}=${value}`); // as --set has them
    const loaded = await this.client.call('load', { name: scene.name, text: scene.text, changes, files: scene.files });
    const same = keepCamera && this.current !== null;
    this.current = scene;
    this.bodies = loaded.bodies;
    this.timeStep = loaded.time_step;
    this.adopt(loaded, same);
    if (this.show.wireframe || this.show.tetrahedra || this.show.quantity !== 'none') await this.setShow(this.show);
    byId('title').textContent = scene.name.replaceAll('_', ' ');
    byId('about').textContent = loaded.about;
    byId('engine').textContent = `Pliant ${loaded.version} in WebAssembly (${loaded.target}), in a worker of its own.`;
    this.showRuns(loaded.runs, scene.changes);
    this.gallery.mark(scene.name);
    this.tools.loaded(scene, loaded.warnings);
    this.meters.clear();
    await this.refresh();
  }

  // A scene that compares runs has them to choose from.
  private showRuns(runs: Loaded['runs'], changes: Map<string, string>): void {
    byId('variant').hidden = runs.length === 0;
    const select = byId<HTMLSelectElement>('runs');
    select.replaceChildren(...runs.map(({ label }, i) => make('option', { value: i }, label)));
    const made = (run: Loaded['runs'][number]) => [...changesIn(run.changes)].every(([path, value]) => changes.get(path) === value);
    select.selectedIndex = runs.findIndex(made); // none, until one is
    select.onchange = () => {
      const next = new Map([...this.current!.changes, ...changesIn(runs[Number(select.value)].changes)]);
      void this.guard(this.load({ ...this.current!, changes: next }, true));
    };
  }

  private adopt(drawn: Calls['show']['gives'], keepCamera: boolean): void {
    this.hand.forget();
    this.shown = drawn.frame;
    this.spare = null;
    this.due = 0;
    this.stage.build(drawn.layout, drawn.indices, drawn.frame, keepCamera, this.show.wireframe);
  }

  async setShow(show: Show): Promise<void> {
    this.show = show;
    this.adopt(await this.client.call('show', show), true);
  }

  // ---- Parameters ----

  async set(path: string, value: string): Promise<'at once' | 'after restart'> {
    const { effect } = await this.client.call('set', { path, value });
    const current = this.current!;
    const before = current.changes.get(path);
    current.changes.set(path, value);
    if (effect === 'after restart') {
      try {
        await this.load(current, true);
      } catch (failure) {
        if (before === undefined) current.changes.delete(path);
        else current.changes.set(path, before);
        throw failure;
      }
    } else if (!/^[\d.e+-]+$/.test(value)) {
      await this.refresh(); // another method or energy has other fields
    }
    if (path === '/solver/time_step') this.timeStep = Number(value);
    return effect;
  }

  async refresh(): Promise<void> {
    const { parameters } = await this.client.call('parameters', {});
    this.panel.show(parameters, this.bodies);
    showSwitches(parameters);
    this.showReadings(await this.readings());
  }

  async parameters(): Promise<Parameter[]> {
    return (await this.client.call('parameters', {})).parameters;
  }

  async perform(event: unknown): Promise<void> {
    this.put((await this.client.call('perform', { event })).frame);
  }

  // ---- Time ----

  run(on: boolean): void {
    this.running = on;
    this.due = 0;
    byId('run').textContent = on ? 'Pause' : 'Run';
  }

  async restart(): Promise<void> {
    this.hand.forget();
    this.put((await this.client.call('reset', {})).frame);
    this.meters.clear();
    this.showReadings(await this.readings());
  }

  async step(frames: number): Promise<void> {
    const { frame, milliseconds } = await this.client.call('tick', { steps: frames, spare: null });
    this.milliseconds = milliseconds;
    this.put(frame);
    this.showReadings(await this.readings());
  }

  readings(): Promise<Readings> {
    return this.client.call('readings', {});
  }

  private advance(time: number): void {
    if (this.running && this.current) this.due = Math.min(this.due + (time - this.now) / 1000, mostSteps * this.timeStep);
    this.now = time;
    const steps = Math.floor(this.due / this.timeStep + 1e-6);
    if (steps > 0 && !this.busy) {
      this.due -= steps * this.timeStep;
      void this.guard(this.tick(steps));
    }
    this.stage.render();
  }

  private async tick(steps: number): Promise<void> {
    this.busy = true;
    const scene = this.current;
    try {
      const spare = this.spare;
      this.spare = null;
      const { frame, milliseconds } = await this.client.call('tick', { steps, spare });
      if (scene !== this.current) return;
      this.milliseconds += 0.1 * (milliseconds - this.milliseconds);
      this.put(frame);
      if (this.counter++ % 6 === 0) this.showReadings(await this.readings());
    } finally {
      this.busy = false;
    }
  }

  private put(frame: Frame): void {
    if (this.shown && frame.positions.length !== this.shown.positions.length) return; // of another scene
    this.spare = this.shown;
    this.shown = frame;
    this.stage.update(frame);
  }

  private showReadings(readings: Readings): void {
    this.meters.show(readings, this.milliseconds);
  }

  private grab(origin: Triple, reach: Triple): Promise<Grip> {
    return this.client.call('grab', { origin, reach });
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
    const text = failure instanceof Error ? failure.message : String(failure);
    if (failure instanceof CallFailure && failure.fatal) void this.revive(text);
    else this.say(text);
  }

  // The engine ended, most likely for want of memory: a new one takes its place.
  private async revive(text: string): Promise<void> {
    this.client.end();
    this.client = new Client();
    this.busy = false;
    this.current = null;
    const why = /abort|memory|unreachable/i.test(text) ? 'most likely for want of memory' : text;
    this.say(`The engine stopped: ${why}.\nIt was started again; choose a scene, or something smaller.`);
    await this.client.ready;
  }
}
