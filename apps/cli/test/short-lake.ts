// The first files of the shipped recording, as a lake of their own: minutes of a network instead of weeks.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoLake } from '../src/demo.ts'

export interface ShortLake {
  readonly directory: string
  readonly registry: string
  readonly lastLedger: number
  /** Path of the n-th file, from 0, inside of the lake. */
  fileOf(n: number): string
}

/** Names begin with the inverted ledger, so the oldest file is the last by name. */
export function shortLake(directory: string, files: number): ShortLake {
  copyFileSync(join(demoLake, '.config.json'), join(made(directory), '.config.json'))
  const [folder = ''] = readdirSync(demoLake).filter((name) => !name.startsWith('.'))
  const oldest = readdirSync(join(demoLake, folder)).sort().reverse().slice(0, files)
  for (const name of oldest) copyFileSync(join(demoLake, folder, name), join(made(join(directory, folder)), name))
  const lastLedger = Number(/-(\d+)\.xdr/.exec(oldest.at(-1) ?? '')?.[1])
  return { directory, registry: join(demoLake, '..', 'registry.json'), lastLedger, fileOf: (n) => join(folder, oldest[n] ?? '') }
}

/** The same lake with a registry that deploys this protocol alone, for tests of processes and files. */
export function withOnly(protocol: string, lake: ShortLake): ShortLake {
  const { protocols, ...rest } = JSON.parse(readFileSync(lake.registry, 'utf8'))
  const registry = `${lake.directory}.registry.json`
  writeFileSync(registry, JSON.stringify({ ...rest, protocols: { [protocol]: protocols[protocol] } }))
  return { ...lake, registry }
}

function made(directory: string): string {
  mkdirSync(directory, { recursive: true })
  return directory
}
