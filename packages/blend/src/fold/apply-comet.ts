// One entry of the Comet pool of the backstop's token, or of the emitter.

import type { ApplyContext, KeyedRecord } from '@orrery/fold-kit'
import { readCometKey, readEmitterKey } from '../chain/comet-entries.ts'
import type { Changes } from '../state/changes.ts'
import { lpBalance, records, swapFee, totalShares, wholeLife } from '../state/comet.ts'
import { dropped, emitter, lastDistributionOf, queuedSwap } from '../state/emitter.ts'
import type { BlendState } from '../state/state.ts'

type Context = ApplyContext<BlendState, Changes>

/** @param owned The Comet pool is of this partition: its holders are followed here. */
export function applyCometEntry(record: KeyedRecord, owned: boolean, context: Context): void {
  const { contract } = record
  const key = readCometKey(record.key)
  switch (key.kind) {
    case 'instance':
      swapFee.apply(record, { contract }, context)
      return
    case 'records':
      records.apply(record, { contract }, context)
      return
    case 'total_shares': {
      totalShares.apply(record, { contract }, context)
      const isCreated = record.kind === 'entry' && record.change === 'created'
      if (isCreated && !context.state.comets.get(contract)?.wholeLife) wholeLife.write(context, { contract }, true)
      return
    }
    case 'shares':
      if (owned) lpBalance.apply(record, { contract, owner: key.holder }, context)
      return
    case 'ignored':
      return
    case 'unknown':
      context.journal.notice(contract, 'entry', 'unknown key of the Comet pool')
  }
}

export function applyEmitterEntry(record: KeyedRecord, context: Context): void {
  const { contract } = record
  const key = readEmitterKey(record.key)
  switch (key.kind) {
    case 'instance':
      emitter.apply(record, { contract }, context)
      return
    case 'queued_swap':
      queuedSwap.apply(record, { contract }, context)
      return
    case 'last_distribution':
      lastDistributionOf.apply(record, { contract, backstop: key.backstop }, context)
      return
    case 'dropped':
      dropped.apply(record, { contract, backstop: key.backstop }, context)
      return
    case 'unknown':
      context.journal.notice(contract, 'entry', 'unknown key of the emitter')
  }
}
