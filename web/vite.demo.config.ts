import { defineConfig, type Plugin } from 'vite';

// Script, style, worker and engine within one HTML file. pliant demo puts a scene at {{scenes}}.
const inOneFile: Plugin = {
  name: 'in-one-file',
  enforce: 'post',
  generateBundle(_, bundle) {
    let script = '', style = '';
    for (const [name, part] of Object.entries(bundle)) {
      if (part.type === 'chunk') script += part.code;
      else if (name.endsWith('.css')) style += part.source;
      if (!name.endsWith('.html')) delete bundle[name];
    }
    for (const part of Object.values(bundle)) {
      if (part.type !== 'asset') continue;
      const parts = String(part.source)
        .replace(/<link rel="(stylesheet|modulepreload)"[^>]*>/g, '')
        .split(/<script type="module"[^>]*><\/script>/);
      const scenes = '<script type="application/json" id="scenes">"{{scenes}}"</script>';
      const inner = `<style>${style}</style>${scenes}<script type="module">${script.replaceAll('</script', '<\\/script')}</script>`;
      part.source = parts.join(inner);
    }
  },
};

export default defineConfig({
  resolve: { alias: { '#make_worker': '/src/make_worker_inline.ts' } },
  define: { 'import.meta.env.VITE_THREADS': '"0"' }, // one file has one module
  base: './',
  publicDir: false,
  build: { outDir: '../build/web_demo', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 1e8, cssCodeSplit: false, chunkSizeWarningLimit: 1e5 },
  worker: { format: 'iife' },
  plugins: [inOneFile],
});
