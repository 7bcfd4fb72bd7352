// Sliders, numbers and choices, made from the fields that the engine tells: nothing here knows their names.
import { byId, make, short } from './dom';
import type { Parameter } from './protocol';

// Sets a value; tells whether it acts at once or needs the scene to be loaded again.
export type Setter = (path: string, value: string) => Promise<'at once' | 'after restart'>;

// Where a slider of so many steps stands for a value, and back. Wide ranges are run through by factors, with 0
// at the left end where it is allowed.
export interface Scale {
  toPosition(value: number): number;
  toValue(position: number): number;
}

export const steps = 240;

export function scaleOf(parameter: Parameter, value: number): Scale {
  const low = parameter.low ?? -1e9, high = parameter.high ?? 1e9, whole = parameter.type === 'integer';
  if (high - low <= 1000 || (low < 0 && !whole)) {
    const reach = Math.max(Math.abs(value) * 4, 1);
    const from = Math.max(low, high - low <= 1000 ? low : -reach), to = Math.min(high, high - low <= 1000 ? high : reach);
    return {
      toPosition: (v) => ((v - from) / (to - from)) * steps,
      toValue: (p) => {
        const v = p >= steps ? to : from + ((to - from) * p) / steps;
        return whole ? Math.round(v) : Number(v.toPrecision(4));
      },
    };
  }
  const zero = low <= 0 && !parameter.low_excluded && !whole; // 0 has a place of its own
  const from = Math.max(low, value > 0 ? value / (whole ? 20 : 1000) : 1e-8, whole ? 1 : Number.MIN_VALUE);
  const to = Math.min(high, value > 0 ? value * (whole ? 20 : 1000) : 1);
  const first = zero ? 6 : 0, range = Math.log(to / from);
  return {
    toPosition: (v) => (v <= 0 ? 0 : first + ((steps - first) * Math.log(Math.max(v, from) / from)) / range),
    toValue: (p) => {
      if (p < first) return 0;
      const v = from * Math.exp((range * (p - first)) / (steps - first));
      return whole ? Math.round(v) : Number(v.toPrecision(3));
    },
  };
}

function label(parameter: Parameter): string {
  const own = parameter.path.split('/').slice(4).join(' › ') || parameter.name;
  return own.replaceAll('_', ' ');
}

export class Panel {
  private readonly host = byId<HTMLElement>('parameters');

  constructor(private readonly set: Setter, private readonly report: (failure: unknown) => void) {}

  show(parameters: Parameter[], bodies: string[]): void {
    const open = new Set([...this.host.querySelectorAll('details[open]')].map((d) => d.id));
    const first = this.host.childElementCount === 0;
    const groups = new Map<string, Parameter[]>();
    for (const parameter of parameters) {
      const [, section, index] = parameter.path.split('/');
      const key = section === 'solver' ? 'solver' : `${section}/${index}`;
      groups.set(key, [...(groups.get(key) ?? []), parameter]);
    }
    this.host.replaceChildren();
    for (const [key, members] of groups) {
      const id = `group-${key.replace('/', '-')}`;
      const details = make('details', { id }, make('summary', {}, this.title(key, bodies)));
      details.open = first ? key === 'solver' || key === 'bodies/0' : open.has(id);
      for (const parameter of members) details.append(this.row(parameter));
      this.host.append(details);
    }
  }

  private title(key: string, bodies: string[]): string {
    const [section, index] = key.split('/');
    if (section === 'solver') return 'Solver';
    if (section === 'bodies') return bodies[Number(index)] ?? `Body ${index}`;
    return `${section === 'colliders' ? 'Collider' : 'Attachment'} ${index}`;
  }

  private row(parameter: Parameter): HTMLElement {
    const id = 'p' + parameter.path.replaceAll('/', '-');
    const unit = parameter.unit ? ` (${parameter.unit})` : '';
    const name = make('label', { for: id, title: parameter.summary }, label(parameter) + unit);
    const row = make('div', { class: 'parameter', 'data-path': parameter.path }, name);
    if (typeof parameter.value === 'boolean') row.append(this.check(parameter, id));
    else if (parameter.choices.length > 0) row.append(this.choice(parameter, id));
    else if (Array.isArray(parameter.value)) row.append(...this.vector(parameter, id));
    else row.append(...this.slider(parameter, id));
    return row;
  }

  private check(parameter: Parameter, id: string): HTMLElement {
    const box = make('input', { id, type: 'checkbox', checked: parameter.value as boolean });
    box.onchange = () => void this.send(parameter, String(box.checked)).then(() => (box.checked = parameter.value as boolean));
    return box;
  }

  private choice(parameter: Parameter, id: string): HTMLElement {
    const select = make('select', { id });
    for (const name of parameter.choices) select.append(make('option', { value: name }, name));
    select.value = String(parameter.value);
    select.onchange = () => void this.send(parameter, JSON.stringify(select.value)).then(() => (select.value = String(parameter.value)));
    return select;
  }

  private vector(parameter: Parameter, id: string): HTMLElement[] {
    const inputs = (parameter.value as number[]).map((value, i) => {
      const input = make('input', { type: 'number', step: 'any', value, id: i === 0 ? id : undefined });
      input.setAttribute('aria-label', `${label(parameter)} ${'xyz'[i]}`);
      input.onchange = async () => {
        await this.send(parameter, JSON.stringify(inputs.map((one) => Number(one.value))));
        inputs.forEach((one, c) => (one.value = String((parameter.value as number[])[c])));
      };
      return input;
    });
    return [make('span', { class: 'vector' }, ...inputs)];
  }

  private slider(parameter: Parameter, id: string): HTMLElement[] {
    const value = parameter.value as number, scale = scaleOf(parameter, value);
    const slider = make('input', { type: 'range', id, min: 0, max: steps, step: 'any', value: scale.toPosition(value) });
    const number = make('input', { type: 'text', inputmode: 'decimal', value: short(value), 'aria-label': `${label(parameter)}, number` });
    let atOnce = true, sliding = false, last = String(value);
    const show = (shown: number) => {
      number.value = short(shown);
      slider.setAttribute('aria-valuetext', `${short(shown)} ${parameter.unit}`);
    };
    // What is refused goes back to what it was, once the slider is let go.
    const change = async (next: number) => {
      const text = String(next);
      if (text === last) return;
      last = text;
      const effect = await this.send(parameter, text);
      atOnce = effect === 'at once';
      if (effect !== 'refused') return;
      last = String(parameter.value);
      if (sliding) return;
      slider.value = String(scale.toPosition(parameter.value as number));
      show(parameter.value as number);
    };
    // What needs a restart waits until the slider is let go.
    slider.oninput = () => {
      sliding = true;
      const next = scale.toValue(Number(slider.value));
      show(next);
      if (atOnce) void change(next);
    };
    slider.onchange = () => {
      sliding = false;
      void change(scale.toValue(Number(slider.value)));
    };
    number.onchange = () => {
      const next = Number(number.value);
      if (!Number.isFinite(next)) {
        this.report(new Error(`${label(parameter)}: must be a number, got "${number.value}"`));
        return show(parameter.value as number);
      }
      slider.value = String(scale.toPosition(next));
      void change(next);
    };
    return [slider, number];
  }

  // Keeps what the engine has taken as the parameter's value.
  private async send(parameter: Parameter, value: string): Promise<'at once' | 'after restart' | 'refused'> {
    try {
      const effect = await this.set(parameter.path, value);
      parameter.value = JSON.parse(value);
      return effect;
    } catch (failure) {
      this.report(failure);
      return 'refused';
    }
  }
}
