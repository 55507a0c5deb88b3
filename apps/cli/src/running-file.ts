// The addresses of a running `orrery up`, for `orrery status` on the same data folder. Deleted when it stops; stale after a kill.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** How `orrery status` queries ClickHouse: as a separate user, with a secret. */
const StatusAddress = z.object({
  url: z.string(),
  user: z.string(),
  password: z.string(),
  headers: z.record(z.string(), z.string()),
  database: z.string(),
})
/** `analystsUrl`: the analysts' address of ClickHouse, without credentials; null when analysts are not served. */
const Running = z.object({ url: z.string(), internalUrl: z.string(), analystsUrl: z.string().nullable(), status: StatusAddress })
export type Running = z.output<typeof Running>

const fileOf = (folder: string): string => join(resolve(folder), 'running.json')

/** Readable by its owner only: it contains a secret of this run. */
export function keepRunning(folder: string, { url, internalUrl, analystsUrl, status }: Running): Disposable {
  const file = fileOf(folder)
  rmSync(file, { force: true }) // an older one keeps its mode
  writeFileSync(file, `${JSON.stringify({ url, internalUrl, analystsUrl, status }, null, 2)}\n`, { mode: 0o600 })
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}

/** Null when nothing is running there. */
export function readRunning(folder: string): Running | null {
  try {
    return Running.parse(JSON.parse(readFileSync(fileOf(folder), 'utf8')))
  } catch {
    return null // absent, or being written: in both cases no address is known yet
  }
}
