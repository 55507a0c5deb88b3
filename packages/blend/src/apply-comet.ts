// One entry of the Comet pool of the backstop's token, or of the emitter.

import type { KeyedRecord, LiveEntry } from '@orrery/fold-kit'
import type { ApplyContext } from './apply-records.ts'
import { readAmount, readFlag, readSeconds } from './backstop-entries.ts'
import * as read from './comet-entries.ts'
import * as codec from './row-codecs.ts'
import { item, member, put } from './slot.ts'
import { cometOf, emitterOf, setLpBalance } from './state.ts'
import { stateKey } from './state-rows.ts'

/** @param owned The Comet pool is of this partition: its holders are followed here. */
export function applyCometEntry(record: KeyedRecord, owned: boolean, { state, journal }: ApplyContext): void {
  const { contract } = record
  const comet = cometOf(state, contract)
  const key = read.readCometKey(record.key)
  const shared = (name: string) => ({ contract, key: name, shared: true })
  switch (key.kind) {
    case 'instance': {
      const filing = {
        row: shared(stateKey.swapFee),
        what: 'Comet instance',
        maySayNothing: true,
        read: (value: Uint8Array) => read.readSwapFee(value, contract),
        codec: codec.amount,
      }
      put(member(comet, 'swapFee'), filing, record, journal)
      return
    }
    case 'records': {
      const filing = { row: shared(stateKey.records), what: 'Comet records', read: read.readCometRecords, codec: codec.cometRecords }
      put(member(comet, 'records'), filing, record, journal)
      return
    }
    case 'total_shares': {
      const filing = { row: shared(stateKey.totalShares), what: 'Comet total shares', read: readAmount, codec: codec.amount }
      put(member(comet, 'totalShares'), filing, record, journal)
      if (record.kind === 'entry' && record.change === 'created' && !comet.wholeLife) {
        comet.wholeLife = true
        journal.write({ ...shared(stateKey.wholeLife), value: codec.flag.encode(true), durability: 'fact' })
      }
      return
    }
    case 'shares': {
      if (!owned) return
      const { holder } = key
      const slot = {
        get: () => comet.holders.get(holder) ?? null,
        set: (live: LiveEntry<bigint> | null) => setLpBalance(comet, holder, live),
      }
      const row = { contract, key: stateKey.lpBalance(holder), owner: holder }
      put(slot, { row, what: 'LP balance', read: readAmount, codec: codec.amount }, record, journal)
      return
    }
    case 'ignored':
      return
    case 'unknown':
      journal.notice(contract, 'entry', 'unknown key of the Comet pool')
  }
}

export function applyEmitterEntry(record: KeyedRecord, { state, journal }: ApplyContext): void {
  const { contract } = record
  const emitter = emitterOf(state, contract)
  const key = read.readEmitterKey(record.key)
  switch (key.kind) {
    case 'instance': {
      const filing = {
        row: { contract, key: stateKey.emitter },
        what: 'emitter instance',
        read: (value: Uint8Array) => read.readEmitterInstance(value, contract),
        codec: codec.emitterInstance,
      }
      put(member(emitter, 'instance'), filing, record, journal)
      return
    }
    case 'queued_swap': {
      const row = { contract, key: stateKey.queuedSwap }
      put(member(emitter, 'queuedSwap'), { row, what: 'queued swap', read: read.readQueuedSwap, codec: codec.queuedSwap }, record, journal)
      return
    }
    case 'last_distribution': {
      const row = { contract, key: stateKey.lastDistributionOf(key.backstop) }
      const slot = item(emitter.lastDistribution, key.backstop)
      put(slot, { row, what: 'last distribution', read: readSeconds, codec: codec.amount }, record, journal)
      return
    }
    case 'dropped': {
      const row = { contract, key: stateKey.dropped(key.backstop) }
      put(item(emitter.dropped, key.backstop), { row, what: 'drop', read: readFlag, codec: codec.flag }, record, journal)
      return
    }
    case 'unknown':
      journal.notice(contract, 'entry', 'unknown key of the emitter')
  }
}
