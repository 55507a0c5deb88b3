// How the static files of the explorer are built: `npm run build -w @orrery/explorer`. `npm run dev -w @orrery/explorer` serves the source with the data of `npm start`.

import { defineConfig } from 'vite'

export default defineConfig({
  base: '/explore/',
  // Also where the settings of TypeScript are left out, as in an image.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    // Not `assets`: the pages of assets are below that path.
    assetsDir: 'static',
    target: 'es2023',
    // The policy of the page allows files of its origin only, so no asset becomes a `data:` address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // The packages of this repository are watched as source, and the others are few.
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/docs': 'http://127.0.0.1:8080' } },
})
