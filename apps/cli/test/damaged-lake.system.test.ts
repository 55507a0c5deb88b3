// A file of a lake is damaged while `orrery up` reads it: the ledgers are named, what is indexed is served, and indexing continues with the
// repaired file.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-damaged-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lake = shortLake(join(folder, 'lake'), 3)
const whole = shortLake(join(folder, 'whole'), 3)
/** Files of the recording have 64 ledgers and begin with 1,000,000. */
const FIRST_DAMAGED = 1_000_064
const LAST_DAMAGED = 1_000_127

interface Status {
  readonly parts: readonly { readonly part: string; readonly error: string | null; readonly failures: number }[]
}

const cut = (file: string): void => writeFileSync(file, readFileSync(file).subarray(0, 2_000))

it('a damaged file of a lake is named with its ledgers and what to do, the API goes on, and the repaired file gives the same rows', async () => {
  const expected = await contentsAfter(upArguments(whole, join(folder, 'expected')))
  cut(join(lake.directory, lake.fileOf(1)))
  await using run = new Orrery(upArguments(lake, join(folder, 'data')))
  const ready = await run.result<Ready>()
  const status = async (): Promise<Status> => (await fetch(`${ready.internalUrl}/status`)).json() as Promise<Status>
  const ingest = async () => (await status()).parts.find(({ part }) => part === 'ingest')
  await expect.poll(async () => (await ingest())?.failures, { timeout: 120_000 }).toBeGreaterThan(1)
  const error = (await ingest())?.error ?? ''
  expect(error).toContain(`ledgers ${FIRST_DAMAGED} to ${LAST_DAMAGED} is broken`)
  expect(error).toContain(join(lake.directory, lake.fileOf(1)))
  expect(error).toContain('Fetch the file again')
  const headers = { 'x-service-api-key': ready.apiKey, connection: 'close' }
  const lastLedger = async (): Promise<number> => {
    const answer = (await (await fetch(`${ready.url}/v1/index`, { headers })).json()) as { meta: { last_indexed_ledger: number } }
    return answer.meta.last_indexed_ledger
  }
  await expect.poll(lastLedger, { timeout: 60_000 }).toBe(FIRST_DAMAGED - 1)

  copyFileSync(join(whole.directory, whole.fileOf(1)), join(lake.directory, lake.fileOf(1)))
  expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: whole.lastLedger })
  expect(await ingest()).toMatchObject({ error: null })
  expect(await viewContents(ready.clickhouseUrl)).toEqual(expected)
})

it('a damaged file ends a run that shall only catch up, with what is stored and what to do', async () => {
  cut(join(lake.directory, lake.fileOf(1)))
  const { code, stderr } = await orrery([...upArguments(lake, join(folder, 'once')), '--exit-when-caught-up'])
  expect(code).toBe(1)
  expect(stderr).toContain(`ledgers ${FIRST_DAMAGED} to ${LAST_DAMAGED} is broken`)
  expect(stderr).toContain('Everything before it is complete and stored.')
})
