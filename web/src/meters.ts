// Live read-outs with small plots.
import { byId, make, short } from './dom';
import type { Readings } from './protocol';

interface Meter {
  key: string;
  name: string;
  text: (value: number) => string;
  of: (readings: Readings, milliseconds: number) => number | null;
  plotted: boolean;
}

const percent = (value: number) => `${(100 * value).toFixed(2)} %`;

const meters: Meter[] = [
  { key: 'milliseconds', name: 'A step', text: (v) => `${v.toFixed(2)} ms`, of: (_, ms) => ms, plotted: true },
  { key: 'total_energy', name: 'Energy', text: (v) => `${short(v)} J`, of: (r) => r.total_energy, plotted: true },
  { key: 'kinetic_energy', name: 'Kinetic', text: (v) => `${short(v)} J`, of: (r) => r.kinetic_energy, plotted: true },
  { key: 'volume_ratio', name: 'Volume kept', text: percent, of: (r) => r.volume_ratio, plotted: true },
  { key: 'stretch', name: 'Largest stretch', text: percent, of: (r) => r.stretch, plotted: true },
  { key: 'worst_error', name: 'Largest error', text: percent, of: (r) => r.worst_error, plotted: true },
  { key: 'mean_error', name: 'Mean error', text: percent, of: (r) => r.mean_error, plotted: true },
  { key: 'inverted', name: 'Inverted', text: String, of: (r) => r.inverted, plotted: true },
  { key: 'repaired', name: 'Set back', text: String, of: (r) => r.repaired, plotted: false },
  { key: 'particles', name: 'Particles', text: (v) => v.toLocaleString('en'), of: (r) => r.particles, plotted: false },
  { key: 'constraints', name: 'Constraints', text: (v) => v.toLocaleString('en'), of: (r) => r.constraints, plotted: false },
  { key: 'time', name: 'Time', text: (v) => `${v.toFixed(2)} s`, of: (r) => r.time, plotted: false },
];

const kept = 160; // values of a plot

export class Meters {
  private readonly rows = new Map<string, { output: HTMLElement; canvas: HTMLCanvasElement | null; values: number[] }>();

  constructor() {
    const host = byId('meters');
    for (const meter of meters) {
      const output = make('dd', { id: `meter-${meter.key}` }, '–');
      const canvas = meter.plotted ? make('canvas', { width: 120, height: 22, 'aria-hidden': 'true' }) : null;
      host.append(make('dt', {}, meter.name), output, make('dd', { class: 'plot' }, ...(canvas ? [canvas] : [])));
      this.rows.set(meter.key, { output, canvas, values: [] });
    }
  }

  clear(): void {
    for (const row of this.rows.values()) row.values = [];
  }

  show(readings: Readings, milliseconds: number): void {
    for (const meter of meters) {
      const row = this.rows.get(meter.key)!, value = meter.of(readings, milliseconds);
      row.output.textContent = value === null ? '–' : meter.text(value);
      if (!row.canvas || value === null) continue;
      row.values.push(value);
      if (row.values.length > kept) row.values.shift();
      this.plot(row.canvas, row.values);
    }
  }

  private plot(canvas: HTMLCanvasElement, values: number[]): void {
    const context = canvas.getContext('2d')!, { width, height } = canvas;
    const low = Math.min(...values), range = Math.max(...values) - low || 1;
    context.clearRect(0, 0, width, height);
    context.strokeStyle = getComputedStyle(canvas).color;
    context.lineWidth = 1.5;
    context.beginPath();
    values.forEach((value, i) => context.lineTo((i * width) / (kept - 1), height - 2 - ((value - low) / range) * (height - 4)));
    context.stroke();
  }
}
