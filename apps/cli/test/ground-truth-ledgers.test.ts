// Ledgers of the recording through `/v1`: close times as the recorded answers name them, hashes as the ledger after each names them.

import { readLedgerHeader } from '@orrery/ledger'
import { groundTruthRecording, readBatchFile } from '@orrery/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Checkpoint, readCheckpoints } from './truth/checkpoint.ts'
import { each } from './truth/recorded.ts'
import { isSampled, sampleOf } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

let whole: WholeNetwork
let checkpoints: Checkpoint[]

beforeAll(async () => {
  const all = await readCheckpoints('')
  checkpoints = all.filter(({ ledger }) => isSampled(ledger))
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

const textOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '')
const bySequence = (ledger: number) => whole.get(`/v1/ledgers/${ledger}`)
const byTime = (seconds: number) => whole.get(`/v1/ledgers?at=${textOf(seconds)}`)

it('a ledger closed when the recorded answers say that it did, and the ledger of that instant is the same', async () => {
  expect(checkpoints.length).toBeGreaterThan(0)
  await each(checkpoints, async ({ ledger, closeTime }) => {
    const { data } = await bySequence(ledger)
    expect(data).toMatchObject({ ledger, timestamp: textOf(closeTime) })
    expect((await byTime(closeTime)).data).toEqual(data)
  })
}, 600_000)

it('a ledger has the hash that the ledger after it names as its previous one', async () => {
  let compared = 0
  await each(sampleOf(groundTruthRecording().batchFiles()), async (file) => {
    for (const bytes of await readBatchFile(file)) {
      const { sequence, previousHash } = readLedgerHeader(bytes)
      if (sequence % 64 !== 1) continue
      const { status, body } = await whole.ask(`/v1/ledgers/${sequence - 1}`)
      // The ledger before the first one is not recorded.
      if (status === 404) continue
      expect(body.data).toMatchObject({ ledger: sequence - 1, hash: previousHash })
      compared++
    }
  })
  expect(compared).toBeGreaterThan(0)
}, 600_000)

it('an instant just before a close belongs to the ledger before, as its close time says', async () => {
  await each(checkpoints.slice(0, 20), async ({ ledger, closeTime }) => {
    const { data } = await byTime(closeTime - 1)
    expect(data.ledger).toBeLessThan(ledger)
    expect(Date.parse(data.timestamp) / 1_000).toBeLessThanOrEqual(closeTime - 1)
    const { data: next } = await bySequence(data.ledger + 1)
    expect(Date.parse(next.timestamp) / 1_000).toBeGreaterThan(closeTime - 1)
  })
}, 600_000)
