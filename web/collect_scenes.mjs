// Copies the scenes, the meshes that they name and a picture of each into generated/public, with an index.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'web/generated/public'), program = join(root, 'build/release/bin/pliant');

const scenes = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return scenes(path);
  return entry.name.endsWith('.json') ? [path] : [];
});

// A frame in the midst of the gallery's film. A scene that is too new for one is filmed here, where the program is built.
function picture(name, folder) {
  const still = join(target, 'pictures', `${name}.webp`), made = join(target, 'film.gif'), film = join(root, 'docs/gallery', folder, `${name}.gif`);
  const isFilmed = existsSync(film), source = isFilmed ? film : join(root, 'scenes', folder, `${name}.json`);
  if (!isFilmed && !existsSync(program)) return undefined;
  if (!existsSync(still) || statSync(still).mtimeMs < statSync(source).mtimeMs) {
    if (!isFilmed) execFileSync(program, ['render', name, '-o', made, '--size', '240x135', '--fps', '1', '--frames', '60', '--no-caption', '--quiet', '--force'], { stdio: 'ignore' });
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', isFilmed ? film : made, '-vf', 'thumbnail=60,scale=240:135', '-frames:v', '1', '-c:v', 'libwebp', '-quality', '55', still]);
    rmSync(made, { force: true });
  }
  return `pictures/${name}.webp`;
}

rmSync(join(target, 'scenes'), { recursive: true, force: true });
for (const folder of ['scenes', 'meshes', 'pictures']) mkdirSync(join(target, folder), { recursive: true });
const index = scenes(join(root, 'scenes')).map((path) => {
  const name = basename(path, '.json'), text = readFileSync(path, 'utf8');
  copyFileSync(path, join(target, 'scenes', `${name}.json`));
  const named = [...text.matchAll(/"([^"]+\.(?:obj|ply|stl|msh|node|ele|vtu|vtk|gltf|glb))"/gi)].map(([, file]) => file);
  const beside = named.filter((file) => file.endsWith('.node')).map((file) => file.replace(/node$/, 'ele'));
  const meshes = [...named, ...beside].map((file) => {
    copyFileSync(resolve(dirname(path), file), join(target, 'meshes', basename(file)));
    return { path: file, file: `meshes/${basename(file)}` };
  });
  const folder = dirname(relative(join(root, 'scenes'), path));
  return {
    name, topic: folder === '.' ? undefined : folder, compares: /"compare":/.test(text), about: /"about":\s*"([^"]*)"/.exec(text)?.[1] ?? '', file: `scenes/${name}.json`,
    picture: picture(name, folder), meshes,
  };
}).sort((a, b) => a.name.localeCompare(b.name));
writeFileSync(join(target, 'scenes/index.json'), JSON.stringify(index));
console.log(`${index.length} scenes`);
