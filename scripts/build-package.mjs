// Builds a package for other programs: `node scripts/build-package.mjs client`. In this repository packages export their source; what others
// install is packages/NAME/dist, with compiled code, declarations and a package.json of its own. Workspace packages are compiled in.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'tsdown'
import { BUILT_PACKAGES } from './built-packages.mjs'

const root = join(import.meta.dirname, '..')
const [name] = process.argv.slice(2)
const { entries, formats, external, platform } = BUILT_PACKAGES[name] ?? usage()
const folder = join(root, 'packages', name)
const dist = join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
await build({
  cwd: folder,
  config: false,
  entry: Object.fromEntries(Object.entries(entries).map(([path, source]) => [outputOf(path), source])),
  outDir: dist,
  format: formats,
  platform,
  target: 'es2022',
  minify: { compress: true, mangle: false },
  deps: { alwaysBundle: (id) => !external.includes(id), neverBundle: external, onlyBundle: false },
  dts: true,
  logLevel: 'error',
})
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))

/** `.` -> `index`, `./slices` -> `slices`. */
function outputOf(path) {
  return path === '.' ? 'index' : path.replace('./', '')
}

/** What npm installs: nothing of the repository but its name, version and description. */
function manifest() {
  const {
    name,
    version,
    description,
    license,
    dependencies = {},
    peerDependencies,
    peerDependenciesMeta,
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const kept = Object.entries(dependencies).filter(([dependency]) => external.includes(dependency))
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: Object.fromEntries([
      ...Object.keys(entries).map((path) => [path, targetsOf(outputOf(path))]),
      ['./package.json', './package.json'],
    ]),
    ...(kept.length > 0 && { dependencies: Object.fromEntries(kept) }),
    ...(peerDependencies !== undefined && { peerDependencies, peerDependenciesMeta }),
  }
}

function targetsOf(output) {
  const esm = { types: `./${output}.d.ts`, default: `./${output}.js` }
  return formats.includes('cjs') ? { import: esm, require: { types: `./${output}.d.cts`, default: `./${output}.cjs` } } : esm
}

function usage() {
  console.error(`Usage: node scripts/build-package.mjs ${Object.keys(BUILT_PACKAGES).join('|')}`)
  process.exit(2)
}
