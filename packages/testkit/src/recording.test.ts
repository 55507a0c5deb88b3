// The counts are those of the recording's own README.

import { readLedgerHeader } from '@orrery/ledger'
import { expect, it } from 'vitest'
import { readBatchFile, recording } from './recording.ts'

it('the shipped recording begins and ends with the ledgers in its README, and its files are consecutive', async () => {
  const files = recording().batchFiles()
  const first = await readBatchFile(files[0] as string)
  const last = await readBatchFile(files.at(-1) as string)
  expect(files).toHaveLength(6528 / 64)
  expect(readLedgerHeader(first[0] as Uint8Array).sequence).toBe(1_000_000)
  expect(readLedgerHeader(last.at(-1) as Uint8Array).sequence).toBe(1_006_527)
})

it('the shipped recording has the number of answers in its README', async () => {
  let count = 0
  for await (const answer of recording().expected()) if (answer.kind !== '') count++
  expect(count).toBe(151_344)
})
