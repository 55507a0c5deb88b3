// Builds a package for other programs: `node scripts/build-package.mjs client [FOLDER]`. In this repository packages export their source; what
// others install is FOLDER, or else packages/NAME/dist, with compiled code, declarations and a package.json of its own. Workspace packages are
// compiled in.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'tsdown'
import { BUILT_PACKAGES } from './built-packages.mjs'

const root = join(import.meta.dirname, '..')
const [name, folderOfBuild] = process.argv.slice(2)
const { entries, formats, external, platform, engines } = BUILT_PACKAGES[name] ?? usage()
const folder = join(root, 'packages', name)
const dist = folderOfBuild ?? join(folder, 'dist')

rmSync(dist, { recursive: true, force: true })
const scratch = mkdtempSync(join(tmpdir(), 'orrery-build-'))
await build({
  cwd: folder,
  tsconfig: writeTsconfig(),
  config: false,
  entry: Object.fromEntries(Object.entries(entries).map(([path, source]) => [outputOf(path), source])),
  outDir: dist,
  format: formats,
  platform,
  target: 'es2022',
  minify: { compress: true, mangle: false },
  deps: { alwaysBundle: (id) => !external.includes(id), neverBundle: external, onlyBundle: false },
  fixedExtension: false,
  dts: { cwd: root },
  logLevel: 'error',
})
rmSync(scratch, { recursive: true, force: true })
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
copyFileSync(join(folder, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))

/** Declarations are made of the package and of the packages that are compiled into it. */
function writeTsconfig() {
  const file = join(scratch, 'tsconfig.json')
  const include = compiledIn(name).map((one) => join(root, 'packages', one, 'src'))
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] }
  writeFileSync(file, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include, exclude: ['**/*.test.ts'] }))
  return file
}

/** A package of this repository and those that it depends on. */
function compiledIn(one, found = new Set()) {
  if (found.has(one)) return [...found]
  found.add(one)
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', one, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(dependencies)) if (dependency.startsWith('@orrery/')) compiledIn(dependency.split('/')[1], found)
  return [...found]
}

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
    engines,
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
  console.error(`Usage: node scripts/build-package.mjs ${Object.keys(BUILT_PACKAGES).join('|')} [FOLDER]`)
  process.exit(2)
}
