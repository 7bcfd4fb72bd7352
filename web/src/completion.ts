// Completion in the editor: keys and values that the schema of scene files allows at the cursor.
import { byId, make } from './dom';
import { placeAt, type SchemaReader } from './schema';

interface Suggestion {
  text: string; // that is put in
  name: string;
  about: string;
}

const most = 40;

export class Completion {
  private readonly list = byId('completions');
  private suggestions: Suggestion[] = [];
  private from = 0;
  private chosen = 0;
  private reader: SchemaReader | null = null;

  constructor(private readonly editor: HTMLTextAreaElement, private readonly schema: () => Promise<SchemaReader>) {
    editor.addEventListener('input', () => void this.update(false));
    editor.addEventListener('blur', () => setTimeout(() => this.close(), 150));
    editor.addEventListener('keydown', (event) => this.key(event));
    editor.addEventListener('scroll', () => this.close());
  }

  private get open(): boolean {
    return !this.list.hidden;
  }

  private key(event: KeyboardEvent): void {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      void this.update(true);
      return;
    }
    if (!this.open) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.choose((this.chosen + step + this.suggestions.length) % this.suggestions.length);
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) this.take(this.chosen);
    else if (event.key === 'Tab') this.take(this.chosen);
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // asked: by Ctrl + space, also where nothing was written yet.
  private async update(asked: boolean): Promise<void> {
    this.reader ??= await this.schema();
    const { value, selectionStart } = this.editor, place = placeAt(value, selectionStart);
    const begun = asked || (place && (place.word !== '' || value[place.from] === '"'));
    this.suggestions = [];
    if (place && begun) {
      this.from = place.from;
      this.suggestions = place.kind === 'key' ? this.keys(place.path, place.used) : this.values(place.path);
      const word = place.word.toLowerCase();
      this.suggestions = this.suggestions.filter(({ name }) => name.toLowerCase().startsWith(word)).slice(0, most);
    }
    if (this.suggestions.length === 0) return this.close();
    this.show();
  }

  private keys(path: (string | number)[], used: string[]): Suggestion[] {
    const seen = new Set<string>(used);
    return this.reader!.keys(path).filter(([key]) => !seen.has(key) && seen.add(key)).map(([key, schema]) => {
      const begin = { object: '{  }', array: '[]', string: '""' }[schema.type ?? ''];
      const value = schema.default !== undefined && typeof schema.default !== 'object' ? JSON.stringify(schema.default) : (begin ?? '');
      return { text: `"${key}": ${value}`, name: key, about: schema.description ?? '' };
    });
  }

  private values(path: (string | number)[]): Suggestion[] {
    return this.reader!.values(path).map((text) => ({ text, name: text.replaceAll('"', ''), about: '' }));
  }

  private show(): void {
    this.list.replaceChildren(...this.suggestions.map(({ name, about }, i) => {
      const item = make('li', { role: 'option', id: `completion-${i}` }, make('b', {}, name), ' ', make('span', {}, about));
      item.onmousedown = (event) => {
        event.preventDefault();
        this.take(i);
      };
      return item;
    }));
    const before = this.editor.value.slice(0, this.editor.selectionStart), style = getComputedStyle(this.editor);
    const row = before.split('\n').length, height = parseFloat(style.lineHeight);
    const y = this.editor.offsetTop + parseFloat(style.paddingTop) + row * height - this.editor.scrollTop;
    this.list.style.top = `${Math.min(y, this.editor.offsetTop + this.editor.clientHeight - 20)}px`;
    this.list.hidden = false;
    this.editor.setAttribute('aria-expanded', 'true');
    this.choose(0);
  }

  private choose(index: number): void {
    this.chosen = index;
    [...this.list.children].forEach((item, i) => item.setAttribute('aria-selected', String(i === index)));
    this.list.children[index]?.scrollIntoView({ block: 'nearest' });
    this.editor.setAttribute('aria-activedescendant', `completion-${index}`);
  }

  private take(index: number): void {
    const { text } = this.suggestions[index], { value } = this.editor;
    let end = this.editor.selectionStart;
    if (value[this.from] === '"') while (end < value.length && /[\w.-]/.test(value[end])) end++;
    if (value[this.from] === '"' && value[end] === '"') end++;
    const rest = value.slice(end), known = /^\s*:/.test(rest); // the key has a value already
    const put = known ? text.slice(0, text.indexOf(':')) : text;
    this.editor.setRangeText(put, this.from, end, 'end');
    const inside = /(""|\{ {2}\}|\[\])$/.exec(put)?.[0];
    if (inside && !known) {
      const at = this.from + put.length - (inside === '{  }' ? 2 : 1);
      this.editor.setSelectionRange(at, at);
    }
    this.close();
    this.editor.focus();
  }

  private close(): void {
    this.list.hidden = true;
    this.editor.setAttribute('aria-expanded', 'false');
    this.editor.removeAttribute('aria-activedescendant');
  }
}
