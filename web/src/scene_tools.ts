// The scene as a file: edit it, share it, save it, open a mesh or another scene.
import type { App, Current } from './app';
import { CallFailure } from './client';
import { Completion } from './completion';
import { byId } from './dom';
import { glbToObj } from './glb';
import type { MeshFile } from './protocol';
import { glbOf } from './save_glb';
import { makeLink } from './share';

const largest = 50e6; // bytes of a mesh

function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
// What the engine says of a scene, and goes on.
const isComplaint = (failure: unknown): failure is CallFailure => failure instanceof CallFailure && !failure.fatal;
const stemOf = (file: File): string => file.name.replace(/\.\w+$/, '');
const isScene = (file: File): boolean => /\.json$/i.test(file.name);

// The size of a surface, whatever its format: enough to place it, the engine reads it properly.
function sceneOf(path: string, name: string, size: number): string {
  return JSON.stringify({
    about: `${name} as jelly`,
    solver: { substeps: 15 },
    bodies: [{
      name: 'mesh', soft: { file: path, tetrahedralize: { resolution: 16 }, young_modulus: 3e4, damping: 0.01 },
      scale: [size, size, size], position: [0, 0.8, 0], color: [0.86, 0.36, 0.42],
    }],
    colliders: [{ plane: {} }],
  }, null, 2);
}

export class SceneTools {
  private readonly editor = byId<HTMLTextAreaElement>('editor');
  private readonly problem = byId('editor-error');
  private recorder: MediaRecorder | null = null;

  constructor(private readonly app: App) {
    const guarded = (work: () => Promise<unknown>) => () => void app.guard(work());
    byId('share').onclick = guarded(() => this.share());
    byId('save-json').onclick = guarded(() => this.saveScene());
    byId('save-obj').onclick = guarded(async () => save(`${this.name}.obj`, new Blob([(await app.client.call('surface', {})).text])));
    byId('save-glb').onclick = guarded(async () => {
      const { layout, indices, frame } = await app.client.call('show', app.show, app.active);
      save(`${this.name}.glb`, new Blob([glbOf(layout, frame, indices)], { type: 'model/gltf-binary' }));
    });
    new Completion(this.editor, () => app.schema());
    byId('save-png').onclick = guarded(() => this.savePicture());
    byId('record').onclick = () => this.record();
    byId('apply').onclick = () => void this.apply();
    this.editor.onkeydown = (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.apply();
    };
    const open = byId<HTMLInputElement>('open');
    open.onchange = () => {
      void app.guard(this.openFiles([...(open.files ?? [])]));
      open.value = '';
    };
    addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) document.body.classList.remove('dropping');
    });
    addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dropping');
      void app.guard(this.openFiles([...(event.dataTransfer?.files ?? [])]));
    });
  }

  loaded(scene: Current, warnings: string[]): void {
    this.editor.value = scene.text;
    this.problem.textContent = '';
    this.editor.removeAttribute('aria-invalid');
    byId('drop-report').textContent = warnings.join(' · ');
    byId('progress').hidden = true;
  }

  // Of filling a mesh, while the engine is at it.
  progress(share: number, stage: string): void {
    const bar = byId<HTMLProgressElement>('progress');
    bar.hidden = false;
    bar.value = share;
    byId('about').textContent = `${this.filling || 'Filling the mesh with tetrahedra'}: ${stage}, ${Math.round(100 * share)} %`;
  }
  private filling = '';

  private get name(): string {
    return this.app.current?.name ?? 'scene';
  }

  private async share(): Promise<void> {
    const { name, text, files, changes } = this.app.current!;
    const known = this.app.gallery.names.includes(name) || text === '';
    if (!known && files.length > 0) throw new Error('A link cannot carry a mesh of your own. Save the scene as JSON and send it with the mesh.');
    const hash = await makeLink(known ? { scene: name, changes } : { scene: name, text, changes });
    history.replaceState(null, '', hash);
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    byId('drop-report').textContent = 'The link is in the address bar, and copied where the browser allows it.';
  }

  // With the meshes that it names: it finds them beside itself.
  private async saveScene(): Promise<void> {
    const { files } = this.app.current!;
    let { text } = await this.app.client.call('file', {}, this.app.active);
    for (const { path, content } of files) {
      text = text.replaceAll(JSON.stringify(path), JSON.stringify(baseOf(path)));
      save(baseOf(path), new Blob([content]));
    }
    save(`${this.name}.json`, new Blob([text]));
    if (files.length > 0) byId('drop-report').textContent = `${this.name}.json needs ${files.map(({ path }) => baseOf(path)).join(', ')} beside it; all were saved.`;
  }

  private savePicture(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.app.stage.render();
      this.app.canvas.toBlob((blob) => {
        if (!blob) return reject(new Error('The picture could not be made.'));
        save(`${this.name}.png`, blob);
        resolve();
      });
    });
  }

  // From the first press to the second.
  private record(): void {
    if (this.recorder) return this.recorder.stop();
    if (typeof MediaRecorder !== 'function') return this.app.report(new Error('This browser cannot record. pliant render makes films.'));
    const recorder = new MediaRecorder(this.app.canvas.captureStream(60), { videoBitsPerSecond: 12e6 });
    const pieces: Blob[] = [], button = byId('record');
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => {
      this.recorder = null;
      button.textContent = 'Record';
      save(`${this.name}.webm`, new Blob(pieces, { type: recorder.mimeType }));
    };
    this.recorder = recorder;
    button.textContent = 'Stop and save';
    recorder.start();
  }

  // An Error of the engine names line and column: the cursor goes there.
  async apply(): Promise<void> {
    const { files, name } = this.app.current ?? { files: [] as MeshFile[], name: 'scene' };
    const text = this.editor.value;
    this.problem.textContent = ''; // of the text before
    const own = this.app.gallery.names.includes(name) && text !== this.app.current?.text ? `my_${name}` : name;
    try {
      await this.app.load({ name: own, text, files, changes: new Map() }, true);
    } catch (failure) {
      if (!isComplaint(failure)) return this.app.report(failure);
      const { message } = failure;
      this.problem.textContent = message.replace(`${own}:`, 'line ');
      this.editor.setAttribute('aria-invalid', 'true');
      const place = /:(\d+):(\d+)/.exec(message);
      if (place) this.select(Number(place[1]));
    }
  }

  private select(line: number): void {
    const lines = this.editor.value.split('\n');
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    this.editor.focus();
    this.editor.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.editor.scrollTop = ((line - 3) / lines.length) * this.editor.scrollHeight;
  }

  // A mesh, or a scene with the meshes that it names.
  async openFiles(files: File[]): Promise<void> {
    const scene = files.find(isScene);
    if (files.length === 0) return;
    for (const { name, size } of files) {
      if (size > largest) throw new Error(`${name} has ${(size / 1e6).toFixed(0)} MB; at most ${largest / 1e6} MB can be opened here. pliant tetrahedralize takes larger ones.`);
    }
    return scene ? this.openScene(scene, files.filter((file) => file !== scene)) : this.openMesh(files[0]);
  }

  private async openScene(scene: File, others: File[]): Promise<void> {
    const text = await scene.text(), named = [...text.matchAll(/"([^"\\]+\.\w+)"/g)].map(([, path]) => path);
    const files = await Promise.all(others.flatMap((file) => named.filter((path) => baseOf(path) === file.name)
      .map(async (path): Promise<MeshFile> => ({ path, content: new Uint8Array(await file.arrayBuffer()) }))));
    try {
      await this.app.load({ name: stemOf(scene), text, files, changes: new Map() });
    } catch (failure) {
      const missing = named.filter((path) => /\.(obj|stl|ply|msh|node|ele|vt[ku])$/i.test(path) && !files.some((file) => file.path === path));
      if (missing.length === 0 || !isComplaint(failure)) throw failure;
      throw new Error(`${failure.message}\nThe scene names ${missing.map(baseOf).join(', ')}: choose or drop it together with the scene.`);
    }
  }

  private async openMesh(file: File): Promise<void> {
    const stem = stemOf(file);
    if (!/\.(obj|stl|ply|glb)$/i.test(file.name)) throw new Error(`${file.name}: must be a mesh (.obj, .stl, .ply, .glb) or a scene (.json)`);
    const { path, content } = await this.meshOf(file);
    this.filling = `Filling ${file.name} with tetrahedra`;
    byId('about').textContent = `${this.filling} …`;
    const files = [{ path, content }];
    try {
      const { text, report } = await this.sized(path, stem, files);
      await this.app.load({ name: stem, text, files, changes: new Map() });
      const repaired = byId('drop-report').textContent || `${file.name}: nothing had to be repaired.`;
      byId('drop-report').textContent = `${repaired}\n${report.trim()}`;
      byId('about').textContent = `${stem} as jelly. ${repaired}`;
    } catch (failure) {
      byId('about').textContent = this.app.loaded?.about ?? '';
      throw failure;
    } finally {
      byId('progress').hidden = true;
    }
  }

  private async meshOf(file: File): Promise<MeshFile> {
    const bytes = await file.arrayBuffer();
    if (!/\.glb$/i.test(file.name)) return { path: `/dropped/${file.name}`, content: new Uint8Array(bytes) };
    try {
      return { path: `/dropped/${file.name}.obj`, content: await glbToObj(bytes) };
    } catch (failure) {
      throw new Error(`${file.name}: cannot be read: ${failure instanceof Error ? failure.message : failure}`);
    }
  }

  // A body about half a metre large.
  private async sized(path: string, name: string, files: MeshFile[]): Promise<{ text: string; report: string }> {
    const { low, high, report } = await this.app.client.call('measure', { files });
    const extent = Math.max(...high.map((h, i) => h - low[i]));
    return { text: sceneOf(path, name, Number((0.6 / Math.max(extent, 1e-9)).toPrecision(4))), report };
  }
}
