// Every event of the recording, read and accounted for: each makes an action, is part of one, or is on the list of what is ignored.

import { readFile } from 'node:fs/promises'
import { Journal } from '@orrery/fold-kit'
import { type ContractId, type EventRecord, extractLedger, TrackedSet, topicText } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import { readBatchFile } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { IGNORED } from '../src/fold/action.ts'
import { deriveActions } from '../src/fold/activity.ts'
import { directoryOf } from '../src/fold/directory.ts'
import { momentOf } from '../src/fold/ledger-end.ts'
import { operationsOf } from '../src/fold/operation.ts'
import { blend } from '../src/protocol.ts'
import { type FoldedWorld, foldedWorld, forge } from './world.ts'

/** From the README of the recording: what Blend's contracts emitted over its whole length. */
const EMITTED = {
  'POOL/deposit': 28,
  'POOL/exit_pool': 2,
  'POOL/join_pool': 6,
  'POOL/swap': 40,
  'POOL/withdraw': 2,
  approve: 2,
  bad_debt: 16,
  borrow: 85,
  burn: 3,
  cancel_set_reserve: 1,
  claim: 86,
  defaulted_debt: 4,
  del_swap: 1,
  deploy: 5,
  deposit: 105,
  dequeue_withdrawal: 1,
  distribute: 79,
  donate: 4,
  draw: 19,
  drop: 2,
  fill_auction: 48,
  flash_loan: 10,
  gulp: 9,
  gulp_emissions: 89,
  new_auction: 32,
  new_liquidation_auction: 2,
  q_swap: 2,
  queue_set_reserve: 22,
  queue_withdrawal: 57,
  repay: 69,
  reserve_emission_update: 166,
  rw_zone: 1,
  rw_zone_add: 3,
  rw_zone_remove: 2,
  set_admin: 2,
  set_reserve: 21,
  set_status: 55,
  supply: 143,
  supply_collateral: 390,
  swap: 1,
  transfer: 240,
  update_emissions: 5,
  update_pool: 3,
  withdraw: 84,
  withdraw_collateral: 85,
}

let world: FoldedWorld

beforeAll(async () => {
  world = await foldedWorld()
})

const topicOf = (record: EventRecord): string => {
  const [first, second] = [topicText(record, 0)?.text ?? '', topicText(record, 1)?.text]
  return first === 'POOL' ? `${first}/${second}` : first
}
const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Events of the pool that no factory of the registry made: real code, real backstop. */
async function eventsOfLookAlike(): Promise<EventRecord[]> {
  const { blend: scenario } = JSON.parse(await readFile(forge.networkFile, 'utf8')) as { blend: { look_alike_pool: ContractId } }
  const set = new TrackedSet(world.network.passphrase)
  set.addContract(scenario.look_alike_pool)
  const events: EventRecord[] = []
  for (const file of forge.batchFiles()) {
    for (const ledger of await readBatchFile(file)) {
      for (const record of extractLedger(ledger, set).records) {
        if (record.kind === 'event' && record.contract === scenario.look_alike_pool) events.push(record)
      }
    }
  }
  return events
}

describe('the events of the recording', () => {
  it('every event of the recording is read, and the look-alike pool is not followed', async () => {
    const last = world.slices.at(-1)?.ledger ?? 0
    const directory = directoryOf(blend.adapter(world.network).load(world.table.asOf(last), last))
    const seen: Record<string, number> = {}
    for (const { records } of world.slices) {
      for (const { record } of records) {
        if (record.kind !== 'event' || record.contract === null) continue
        const role = directory.roleOf(record.contract)
        if (role !== null && role !== 'oracle') count(seen, topicOf(record))
      }
    }
    const others = await eventsOfLookAlike()
    expect(others.length).toBeGreaterThan(20)
    for (const record of others) {
      expect(directory.roleOf(record.contract ?? '')).toBeNull()
      count(seen, topicOf(record))
    }
    expect(seen).toEqual(EMITTED)
  })

  it('every event of the recording makes one action or is ignored for one reason on the list', () => {
    const adapter = blend.adapter(world.network)
    const state = adapter.load([], (world.slices[0]?.ledger ?? 1) - 1)
    const ignored: Record<string, number> = {}
    const unexpected: string[] = []
    const events = { all: 0, actions: 0, silent: 0 }
    for (const slice of world.slices) {
      adapter.fold(state, slice)
      const directory = directoryOf(state)
      const moment = momentOf(
        { state, slice, journal: new Journal(slice), network: world.network, pricing: pricesOf(world.network) },
        directory,
      )
      for (const operation of operationsOf(slice, directory)) {
        const { actions, unused } = deriveActions(operation, moment)
        const fromEvents = actions.filter(({ eventIndex }) => eventIndex < operation.eventCount)
        expect(new Set(fromEvents.map(({ eventIndex }) => eventIndex)).size).toBe(fromEvents.length)
        expect(fromEvents.length + unused.length).toBe(operation.events.length)
        events.all += operation.events.length
        events.actions += fromEvents.length
        events.silent += actions.length - fromEvents.length
        for (const { reason, expected } of unused) {
          if (expected) count(ignored, reason)
          else unexpected.push(reason)
        }
      }
    }
    expect(unexpected).toEqual([])
    expect(Object.keys(ignored).every((reason) => reason in IGNORED)).toBe(true)
    expect(ignored).toEqual({
      approve: 2,
      // 19 draws of bad debt and 4 donations for interest.
      part_of_fill: 19 + 4,
      // Claims of the backstop that paid something: the others paid nothing.
      part_of_claim: 20,
      // 105 deposits less those that claims made, 36 withdrawals, 19 draws and 4 donations move LP tokens.
      part_of_backstop: 80 + 36 + 19 + 4,
      // Three exits burn LP tokens, by a transfer and a burn each.
      part_of_exit: 3 + 3,
      // Three joins and one exit of both tokens.
      part_of_join: 3 + 1,
    })
    expect(events.actions + Object.values(ignored).reduce((sum, n) => sum + n, 0)).toBe(events.all)
    // propose_admin and set_emissions_config emit no event.
    expect(events.silent).toBe(1 + 7)
  })
})
