// The packages that other programs may install, and what each of them exports.

/** By name. `external` is installed beside the package; everything else is compiled in. */
export const BUILT_PACKAGES = {
  client: {
    entries: { '.': 'src/index.ts', './bignumber': 'src/bignumber.ts' },
    formats: ['esm', 'cjs'],
    external: ['bignumber.js'],
    platform: 'neutral',
    engines: { node: '>=20.3' },
  },
  ledger: {
    entries: { '.': 'src/index.ts' },
    formats: ['esm'],
    external: [],
    platform: 'node',
    engines: { node: '>=22.15' },
  },
  // Without the drivers: what a program needs that reads topics with its own Kafka client.
  'event-log': {
    entries: { './slices': 'src/slices.ts' },
    formats: ['esm'],
    external: [],
    platform: 'node',
    // Zstandard is part of Node since then.
    engines: { node: '>=22.15' },
  },
}
