// "Simulated against exact": for scenes whose answer is known, the exact curve over the simulated one, a plot of
// both, how far they are apart, and the substeps to play with.
import type { App } from './app';
import { byId, short } from './dom';
import { exactOf, type Exact, type Measured } from './exact';
import type { Parameter } from './protocol';

const kept = 600; // points of a plot
const exactColor = 0x0b8f6a;

export class Lesson {
  private exact: Exact | null = null;
  private start: number[] = [];
  private values = new Map<string, Parameter['value']>();
  private last: Measured | null = null;
  private simulated: [number, number][] = [];
  private truth: [number, number][] = [];
  private readonly slider = byId<HTMLInputElement>('lesson-substeps');
  error = 0; // m

  constructor(private readonly app: App) {
    this.slider.oninput = () => void app.guard(this.slide());
    this.slider.onchange = () => void app.guard(app.refresh());
  }

  async loaded(): Promise<void> {
    this.exact = (this.app.panes.length === 1 && exactOf[this.app.current!.name]) || null;
    byId('lesson').hidden = !this.exact;
    this.last = null;
    if (!this.exact) return;
    byId('lesson-formula').textContent = this.exact.formula;
    await this.restarted();
  }

  async restarted(): Promise<void> {
    if (!this.exact) return;
    this.simulated = [];
    this.truth = [];
    this.start = (await this.points()).points;
    await this.readValues();
    const substeps = Number(this.values.get('/solver/substeps'));
    this.slider.value = String(Math.log10(substeps));
    byId('lesson-count').textContent = String(substeps);
    await this.follow();
  }

  async follow(): Promise<void> {
    const { exact } = this;
    if (!exact) return;
    const { points, time } = await this.points();
    if (exact !== this.exact || points.length !== this.start.length) return; // of another scene
    const value = (path: string) => this.values.get(path) as number | number[];
    this.last = exact.measure(this.start, points, time, value);
    this.error = this.last.error;
    if (exact.over === 'place') [this.simulated, this.truth] = [this.last.simulated, this.last.exact];
    else {
      this.simulated = [...this.simulated, ...this.last.simulated].slice(-kept);
      this.truth = [...this.truth, ...this.last.exact].slice(-kept);
    }
    byId('lesson-error').textContent = `apart by ${short(1000 * this.error)} mm`;
    this.draw();
    this.plot();
  }

  draw(): void {
    if (this.exact && this.last) this.app.stage.pictures[0].mark(this.last.curve, this.last.marks, this.exact.radius, exactColor);
    this.app.stage.dirty = true;
  }

  private points(): Promise<{ points: number[]; time: number }> {
    return this.app.client.call('points', { body: 0, stride: 1 });
  }

  // What is set while it runs counts from now on; the exact answer is that of the values.
  private async readValues(): Promise<void> {
    this.values = new Map((await this.app.parameters()).map(({ path, value }) => [path, value]));
  }

  private async slide(): Promise<void> {
    const substeps = Math.round(10 ** Number(this.slider.value));
    byId('lesson-count').textContent = String(substeps);
    this.slider.setAttribute('aria-valuetext', String(substeps));
    await this.app.set('/solver/substeps', String(substeps));
    if (this.exact?.over === 'time') await this.app.restart(); // from the same start
  }

  private plot(): void {
    const canvas = byId<HTMLCanvasElement>('lesson-plot'), context = canvas.getContext('2d')!, { width, height } = canvas;
    const all = [...this.simulated, ...this.truth], xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
    const left = Math.min(...xs), right = Math.max(...xs), low = Math.min(...ys), high = Math.max(...ys);
    const x = (v: number) => 4 + ((v - left) / (right - left || 1)) * (width - 8), y = (v: number) => height - 6 - ((v - low) / (high - low || 1)) * (height - 12);
    const style = getComputedStyle(canvas);
    context.clearRect(0, 0, width, height);
    const line = (points: [number, number][], color: string, thick: number, dash: number[]) => {
      context.strokeStyle = color;
      context.lineWidth = thick;
      context.setLineDash(dash);
      context.beginPath();
      for (const [a, b] of points) context.lineTo(x(a), y(b));
      context.stroke();
    };
    line(this.truth, style.getPropertyValue('--exact'), 4, []);
    line(this.simulated, style.getPropertyValue('--ink'), 2, []);
    byId('lesson-axis').textContent = `${this.exact!.up}, over ${this.exact!.over === 'time' ? 'time' : 'the length'}`;
  }
}
