// The JSON Schema of scene files: what may stand where.

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export class SchemaReader {
  readonly root: Schema;

  constructor(text: string) {
    this.root = JSON.parse(text);
  }

  resolve(schema: Schema | undefined): Schema | undefined {
    if (!schema?.$ref) return schema;
    return this.resolve(this.root.$defs?.[schema.$ref.split('/').pop()!]);
  }

  // All that a schema may be.
  private forms(schema: Schema | undefined): Schema[] {
    const one = this.resolve(schema);
    return one ? [one, ...[...(one.oneOf ?? []), ...(one.anyOf ?? [])].flatMap((inner) => this.forms(inner))] : [];
  }

  // What may stand at a path of keys and indices.
  at(path: (string | number)[]): Schema[] {
    let forms = this.forms(this.root);
    for (const part of path) {
      forms = forms.flatMap((form) => this.forms(typeof part === 'number' ? form.items : form.properties?.[part]));
    }
    return forms;
  }

  keys(path: (string | number)[]): [string, Schema][] {
    return this.at(path).flatMap((form) => Object.entries(form.properties ?? {}).map(([key, inner]): [string, Schema] => [key, this.resolve(inner) ?? {}]));
  }

  values(path: (string | number)[]): string[] {
    return this.at(path).flatMap((form) => (form.type === 'boolean' ? ['true', 'false'] : (form.enum ?? []).map((one) => JSON.stringify(one))));
  }
}

export interface Place {
  path: (string | number)[]; // of the object that is edited, or of the value
  kind: 'key' | 'value';
  from: number; // where the word begins that is being written
  word: string;
  used: string[]; // keys that the object has already
}

// Where in a JSON text, which may be unfinished, a position is. Null: where nothing can be completed.
export function placeAt(text: string, position: number): Place | null {
  const stack: { list: boolean; index: number; key: string | null; used: string[] }[] = [];
  let i = 0, from = 0, word = '', wants: 'key' | 'value' | 'colon' = 'value';
  const skipText = (): number => {
    let end = i + 1;
    while (end < position && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
    return end;
  };
  while (i < position) {
    const c = text[i], top = stack[stack.length - 1];
    if (c === '/' && text[i + 1] === '/') {
      const end = text.indexOf('\n', i);
      if (end < 0 || end >= position) return null;
      i = end;
    } else if (c === '"') {
      const end = skipText();
      if (end >= position) { // the cursor is in it
        from = i;
        word = text.slice(i + 1, position);
        break;
      }
      if (wants === 'key' && top) {
        top.key = text.slice(i + 1, end);
        top.used.push(top.key);
        wants = 'colon';
      }
      i = end + 1;
      from = i;
      continue;
    } else if (c === '{' || c === '[') {
      stack.push({ list: c === '[', index: 0, key: null, used: [] });
      wants = c === '{' ? 'key' : 'value';
    } else if (c === '}' || c === ']') {
      stack.pop();
      wants = 'colon'; // what follows is a comma
    } else if (c === ':') wants = 'value';
    else if (c === ',') {
      if (top?.list) top.index++;
      wants = top?.list ? 'value' : 'key';
    } else if (/[\w.+-]/.test(c)) {
      let end = i;
      while (end < position && /[\w.+-]/.test(text[end])) end++;
      if (end >= position) {
        from = i;
        word = text.slice(i, position);
        break;
      }
      i = end;
      continue;
    }
    i++;
    from = i;
  }
  const top = stack[stack.length - 1];
  if (!top || wants === 'colon') return null;
  const outer = stack.slice(0, -1).map((level) => (level.list ? level.index : level.key!));
  const path = wants === 'key' ? outer : [...outer, top.list ? top.index : top.key!];
  return path.some((part) => part === null) ? null : { path, kind: wants, from, word, used: top.used };
}
