// The scenes that come with the page.
import { byId, make } from './dom';
import { exactOf } from './exact';
import type { MeshFile } from './protocol';

export interface Entry {
  name: string;
  about: string;
  file: string; // of the scene, relative to the page
  picture?: string;
  meshes: { path: string; file?: string; content?: string }[]; // as the scene names it, and where it is or its bytes in base64
  text?: string; // of the scene, where the page carries it
  changes?: string[]; // to its values
  compares?: boolean; // several runs of it
  topic?: string; // the folder that it stands in, if any
}

async function fetched(path: string): Promise<Response> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} cannot be loaded: ${response.status} ${response.statusText}`);
  return response;
}

function meshFiles(meshes: Entry['meshes']): Promise<MeshFile[]> {
  return Promise.all(meshes.map(async ({ path, file, content }) => ({
    path, content: content !== undefined ? bytes(content) : new Uint8Array(await (await fetched(file!)).arrayBuffer()),
  })));
}

const bytes = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

// Beside the page, or in it.
async function allEntries(): Promise<Entry[]> {
  const carried = document.getElementById('scenes');
  return carried ? JSON.parse(carried.textContent!) : (await fetched('scenes/index.json')).json();
}

// A scene file that pliant view was given.
export async function opened(file: string): Promise<{ name: string; text: string; files: MeshFile[] }> {
  const { name, text, meshes } = await (await fetched(file)).json();
  return { name, text, files: await meshFiles(meshes) };
}

const headings = ['Play', 'Simulated against exact', 'Beside each other']; // then those of topics, by name
const titled = (topic: string) => topic[0].toUpperCase() + topic.slice(1).replaceAll('_', ' ');
const groupOf = (entry: Entry) => (exactOf[entry.name] ? headings[1] : entry.compares ? headings[2] : entry.topic ? titled(entry.topic) : headings[0]);
const firstOnes = ['playground', 'bunny', 'drape', 'flag', 'dress', 'jelly', 'three_jellies', 'rope_bridge'];
const rank = (entry: Entry) => (firstOnes.includes(entry.name) ? firstOnes.indexOf(entry.name) : firstOnes.length);

export class Gallery {
  private entries: Entry[] = [];

  constructor(private readonly choose: (name: string) => void) {}

  async load(): Promise<void> {
    this.entries = await allEntries();
    const groups = new Map(headings.map((heading): [string, Entry[]] => [heading, []]));
    for (const entry of [...this.entries].sort((a, b) => (a.topic ?? '').localeCompare(b.topic ?? ''))) {
      const group = groupOf(entry);
      groups.set(group, [...(groups.get(group) ?? []), entry]);
    }
    for (const [group, members] of groups) {
      if (members.length > 0) this.addGroup(group, members.sort((a, b) => rank(a) - rank(b)));
    }
  }

  private addGroup(group: string, members: Entry[]): void {
    const host = make('div', { class: 'scenes' });
    byId('gallery').append(make('h2', {}, group), host);
    for (const entry of members) {
      const picture = entry.picture === undefined ? '' : make('img', { src: entry.picture, alt: '', loading: 'lazy', width: 240, height: 135 });
      const button = make('button', { type: 'button', class: 'scene', 'data-scene': entry.name }, picture,
        make('strong', {}, entry.name.replaceAll('_', ' ')), make('span', {}, entry.about));
      button.onclick = () => this.choose(entry.name);
      host.append(button);
    }
  }

  get names(): string[] {
    return this.entries.map((entry) => entry.name);
  }

  // What is opened where nothing was asked for, and the changes to it.
  get first(): { name: string; changes: string[] } {
    const { name, changes } = this.entries.find((entry) => entry.name === firstOnes[0]) ?? this.entries[0];
    return { name, changes: changes ?? [] };
  }

  mark(name: string): void {
    for (const button of document.querySelectorAll<HTMLElement>('button.scene'))
      button.setAttribute('aria-pressed', String(button.dataset.scene === name));
  }

  async scene(name: string): Promise<{ text: string; files: MeshFile[] }> {
    const entry = this.entries.find((one) => one.name === name);
    if (!entry && /^[cj]\d+$/.test(name)) return { text: '', files: [] }; // a cloth or a box of any size
    if (!entry) throw new Error(`there is no scene "${name}" in the gallery`);
    const text = entry.text ?? (await (await fetched(entry.file)).text());
    return { text, files: await meshFiles(entry.meshes) };
  }
}
