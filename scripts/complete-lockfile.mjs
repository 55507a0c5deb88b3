// Adds to package-lock.json the packages of other platforms that the registry lacked when it was written. A mirror may have the binaries of
// some platforms only; npm leaves the others out of the lock file, and `npm ci` then refuses it. The package that depends on them pins name and
// version, and the name ends with the platform. The checksum is unknown: on such a platform npm installs the package without checking one.
import { readFileSync, writeFileSync } from 'node:fs'

const LOCK = new URL('../package-lock.json', import.meta.url)
const SYSTEMS = new Map([
  ...['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'].map((name) => [name, name]),
  ['windows', 'win32'],
])
const PROCESSORS = new Map([...['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x'].map((name) => [name, name]), ['64', 'x64']])

/** The platform for npm, from a name such as `@biomejs/cli-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split('/').at(-1).split('-')
  const find = (known) => words.map((word) => known.get(word)).find((found) => found !== undefined)
  const [os, cpu] = [find(SYSTEMS), find(PROCESSORS)]
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined
  if (os === undefined || cpu === undefined)
    throw new Error(`The platform of ${name} cannot be read from its name. Add it to the lock file by hand.`)
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) }
}

const lock = JSON.parse(readFileSync(LOCK, 'utf8'))
const missing = Object.entries(lock.packages).flatMap(([parent, { dev, optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !(`node_modules/${name}` in lock.packages) && !(`${parent}/node_modules/${name}` in lock.packages))
    .map(([name, version]) => ({ name, version, dev })),
)
for (const { name, version, dev } of missing) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`${name} is not pinned to a version (${version}): the version to lock is unknown.`)
  const { os, cpu, libc } = platformOf(name)
  // In the order in which npm writes the members.
  lock.packages[`node_modules/${name}`] = { version, cpu, ...(dev && { dev }), ...(libc && { libc }), optional: true, os }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')))
writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${missing.length} packages of other platforms were added to package-lock.json.`)
