import { defineConfig } from 'vite';

// scripts/build_web puts the engine's module into generated/ and the scenes into generated/public.
export default defineConfig({
  resolve: { alias: { '#make_worker': '/src/make_worker.ts' } },
  base: './', // any host, any folder
  publicDir: 'generated/public',
  build: { outDir: '../build/web', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1500 },
  worker: { format: 'es' },
});
