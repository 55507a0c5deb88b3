// The addresses of a running `orrery up`, for `orrery status` and `orrery verify` on the same data folder. Deleted when it stops; stale after a kill.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** How a command reaches ClickHouse: as a user of its own, with a secret of this run. */
const Address = z.object({
  url: z.string(),
  user: z.string(),
  password: z.string(),
  headers: z.record(z.string(), z.string()),
  database: z.string(),
})
/**
 * `analystsUrl`: the analysts' address of ClickHouse, without credentials; null when analysts are not served. `status` may only read; `admin` may
 * also create the database that `orrery verify` folds into. A run of an older build names no `admin`.
 */
const Running = z.object({
  url: z.string(),
  internalUrl: z.string(),
  analystsUrl: z.string().nullable(),
  status: Address,
  admin: Address.optional(),
})
export type Running = z.output<typeof Running>

const fileOf = (folder: string): string => join(resolve(folder), 'running.json')

/** Readable by its owner only: it contains secrets of this run. */
export function keepRunning(folder: string, { url, internalUrl, analystsUrl, status, admin }: Running): Disposable {
  const file = fileOf(folder)
  rmSync(file, { force: true }) // an older one keeps its mode
  writeFileSync(file, `${JSON.stringify({ url, internalUrl, analystsUrl, status, admin }, null, 2)}\n`, { mode: 0o600 })
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}

/** Whether a run on the folder ended without deleting its file: it was killed, or the system went down. Ask before `keepRunning`. */
export function endedUncleanly(folder: string): boolean {
  return existsSync(fileOf(folder))
}

/** Null when nothing is running there. */
export function readRunning(folder: string): Running | null {
  try {
    return Running.parse(JSON.parse(readFileSync(fileOf(folder), 'utf8')))
  } catch {
    return null // absent, or being written: in both cases no address is known yet
  }
}
