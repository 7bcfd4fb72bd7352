// Events by hand: what a scene file may let happen at a time, now. Made from the schema: a new event is here at once.
import type { App } from './app';
import { byId, make } from './dom';
import { SchemaReader, type Schema } from './schema';

const words = (name: string) => name.replaceAll('_', ' ');

export class Doing {
  private reader: SchemaReader | null = null;
  private readonly select = byId<HTMLSelectElement>('event-kind');
  private readonly fields = byId('event-fields');

  constructor(private readonly app: App) {
    this.select.onchange = () => this.show();
    byId('event-do').onclick = () => void app.guard(this.perform());
  }

  async schema(): Promise<SchemaReader> {
    this.reader ??= new SchemaReader((await this.app.client.call('schema', {})).text);
    return this.reader;
  }

  async loaded(): Promise<void> {
    const reader = await this.schema();
    if (this.select.childElementCount === 0) {
      const kinds = reader.keys(['events', 0]).filter(([, schema]) => schema.type === 'object');
      this.select.append(...kinds.map(([kind]) => make('option', { value: kind }, words(kind))));
    }
    this.show();
  }

  private show(): void {
    const kind = this.select.value, [form] = this.reader!.at(['events', 0, kind]);
    byId('event-about').textContent = form?.description ?? '';
    this.fields.replaceChildren();
    for (const [name, schema] of this.reader!.keys(['events', 0, kind])) {
      const id = `event-${name}`, label = make('label', { for: id, title: schema.description ?? '' }, words(name));
      this.fields.append(make('div', { class: 'parameter' }, label, this.input(id, name, schema)));
    }
  }

  // Empty means as the engine has it.
  private input(id: string, name: string, schema: Schema): HTMLElement {
    const choices = name === 'body' ? this.app.bodies : (schema.enum as string[] | undefined);
    if (choices) return make('select', { id, 'data-name': name }, ...(name === 'body' ? [] : [make('option', { value: '' }, '–')]), ...choices.map((one) => make('option', { value: one }, one)));
    const example = schema.default !== undefined ? JSON.stringify(schema.default) : { object: '{ }', array: '[0, 1, 0]' }[schema.type ?? ''];
    return make('input', { id, type: 'text', 'data-name': name, placeholder: example ?? '' });
  }

  private async perform(): Promise<void> {
    const event: Record<string, unknown> = {};
    for (const field of this.fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-name]')) {
      const text = field.value.trim();
      if (text === '') continue;
      try {
        event[field.dataset.name!] = JSON.parse(text);
      } catch {
        event[field.dataset.name!] = text; // a name
      }
    }
    await this.app.perform({ [this.select.value]: event });
    await this.app.refresh();
  }
}
