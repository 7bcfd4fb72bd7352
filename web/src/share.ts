// Links that carry a scene and what was set in it.

export interface Link {
  scene: string; // its name
  text?: string; // of a scene that is not in the gallery
  open?: string; // a file beside the page that pliant view made of a scene file
  changes: Map<string, string>;
}

const encode = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

export async function makeLink(link: Link): Promise<string> {
  const parts = new URLSearchParams();
  if (link.scene) parts.set('scene', link.scene);
  if (link.text !== undefined) {
    const packed = await through(new TextEncoder().encode(link.text), new CompressionStream('deflate-raw'));
    parts.set('text', encode(packed));
  }
  for (const [path, value] of link.changes) parts.append('set', `${path}=${value}`);
  return '#' + parts.toString();
}

// "path=value", by path, which then begins with a slash.
export function changesIn(texts: string[]): Map<string, string> {
  const changes = new Map<string, string>();
  for (const change of texts) {
    const at = change.indexOf('=');
    if (at > 0) changes.set('/' + change.slice(0, at).replace(/^\//, ''), change.slice(at + 1));
  }
  return changes;
}

export async function readLink(hash: string): Promise<Link> {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const link: Link = { scene: parts.get('scene') ?? '', changes: changesIn(parts.getAll('set')) };
  const open = parts.get('open');
  if (open && /^opened\/[\w.]+$/.test(open)) link.open = open;
  const packed = parts.get('text');
  if (packed) {
    try {
      link.text = new TextDecoder().decode(await through(decode(packed), new DecompressionStream('deflate-raw')));
    } catch {
      throw new Error('The link is damaged: the scene in it cannot be unpacked. Please ask for it again.');
    }
  }
  return link;
}
