// The packages that other programs may install, and what each of them exports.

/** By name. `external` is installed beside the package; everything else is compiled in. */
export const BUILT_PACKAGES = {
  client: {
    entries: { '.': 'src/index.ts', './bignumber': 'src/bignumber.ts' },
    formats: ['esm', 'cjs'],
    external: ['bignumber.js'],
    platform: 'neutral',
  },
}
