import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadNetwork } from '@orrery/protocols'
import { afterAll, expect, it } from 'vitest'
import { takeEmptyDataFolder } from '../src/backup/take-empty-data-folder.ts'
import { identityUrl } from '../src/commands/org/with-identity.ts'
import { openDataFolder } from '../src/data-folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'orrery-data-folder-'))
afterAll(() => rmSync(parent, { recursive: true }))
const network = await loadNetwork('demo')

/** Permission bits by name of the file; '.' is the folder itself. */
const modes = (folder: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]))
const CLOSED = { '.': '700', 'lock.sqlite': '600', 'owner.pid': '600', 'network.json': '600', 'registry.json': '600', log: '700' }

/** Opened, claimed and closed again; what it warns of. */
function open(folder: string): string | null {
  using opened = openDataFolder(folder, network)
  opened.claim()
  return opened.warning
}

it('a new data folder and all that it holds is closed to other users', () => {
  const folder = join(parent, 'new')
  expect(open(folder)).toBeNull()
  expect(modes(folder, ...Object.keys(CLOSED))).toEqual(CLOSED)
})

it('a data folder that was made before, open to others, is closed with what it holds', () => {
  const folder = join(parent, 'older')
  open(folder)
  for (const name of ['lock.sqlite', 'owner.pid', 'network.json']) chmodSync(join(folder, name), 0o644)
  for (const name of ['log', '.']) chmodSync(join(folder, name), 0o755)
  expect(open(folder)).toBeNull()
  expect(modes(folder, ...Object.keys(CLOSED))).toEqual(CLOSED)
})

it('a folder that holds other things is left as it is, with a warning, and the files of Orrery in it are closed', () => {
  const folder = join(parent, 'shared')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'notes.txt'), '')
  expect(open(folder)).toMatch(
    /Other users can read the data folder [^\n]*shared\.[^\n]*it also holds notes\.txt[\s\S]*chmod 700[\s\S]*--data/,
  )
  expect(modes(folder, ...Object.keys(CLOSED))).toEqual({ ...CLOSED, '.': '755' })
})

it('a data folder keeps its registry as a file that --network reads, also when the registry grows', async () => {
  const folder = join(parent, 'kept')
  open(folder)
  const copy = join(folder, 'registry.json')
  expect(await loadNetwork(copy)).toEqual(network)
  const grown = { ...network, usdPegs: network.usdPegs.slice(1) }
  const other = join(parent, 'grown')
  {
    using opened = openDataFolder(other, grown)
    opened.claim()
  }
  {
    using opened = openDataFolder(other, network)
    opened.claim()
    expect(await loadNetwork(join(other, 'registry.json'))).toEqual(grown)
    opened.keepRegistry()
  }
  expect(await loadNetwork(join(other, 'registry.json'))).toEqual(network)
  expect(readFileSync(copy, 'utf8')).toContain('"first_ledger"')
})

it('the refusal of another registry names the kept file, also in a folder that an older build made without it', async () => {
  const folder = join(parent, 'refused')
  open(folder)
  const copy = join(folder, 'registry.json')
  rmSync(copy)
  expect(() => openDataFolder(folder, { ...network, oracles: [] })).toThrow(copy)
  expect(await loadNetwork(copy)).toEqual(network)
})

it('a restore fills an empty folder only, and until it has finished every other command refuses the folder', () => {
  const folder = join(parent, 'restored')
  {
    using empty = takeEmptyDataFolder(folder)
    expect(() => identityUrl({ identity: undefined, data: folder })).toThrow(expect.objectContaining({ code: 'data_folder_incomplete' }))
    expect(() => takeEmptyDataFolder(folder)).toThrow(expect.objectContaining({ code: 'data_folder_not_empty' }))
    expect(empty.path).toBe(folder)
  }
  // As after a kill: the lock is free.
  expect(() => open(folder)).toThrow(expect.objectContaining({ code: 'data_folder_incomplete' }))
  rmSync(folder, { recursive: true })
  {
    using empty = takeEmptyDataFolder(folder)
    empty.finish()
  }
  expect(open(folder)).toBeNull()
})
