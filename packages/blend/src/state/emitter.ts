// The emitter: which backstop BLND goes to.

import { amountValue, item } from '@orrery/fold-kit'
import { readEmitterInstance, readQueuedSwap } from '../chain/comet-entries.ts'
import { readFlag, readSeconds } from '../chain/entry-reader.ts'
import * as values from '../chain/values.ts'
import { blendEntry, memberOf } from './entry.ts'
import { emitterOf } from './state.ts'

export const emitter = blendEntry({
  key: 'emitter',
  value: values.emitterInstance,
  read: (bytes, { contract }) => readEmitterInstance(bytes, contract),
  place: (state, { contract }) => memberOf(emitterOf(state, contract), 'instance'),
  notices: { unreadable: 'unreadable emitter instance' },
  docs: { under: 'emitter', from: 'instance', what: 'the backstop that emissions go to now' },
})

export const queuedSwap = blendEntry({
  key: 'queued_swap',
  value: values.queuedSwap,
  read: readQueuedSwap,
  place: (state, { contract }) => memberOf(emitterOf(state, contract), 'queuedSwap'),
  notices: { unreadable: 'unreadable queued swap' },
  docs: { under: 'emitter', from: '`Swap`', what: 'the backstop that waits for its unlock time' },
})

export const lastDistributionOf = blendEntry({
  key: 'last_distribution:{backstop}',
  value: amountValue,
  read: readSeconds,
  place: (state, { contract, backstop }) => {
    const of = emitterOf(state, contract)
    return of === null ? null : item(of.lastDistribution, backstop)
  },
  notices: { unreadable: 'unreadable last distribution' },
  docs: { under: 'emitter', from: '`LastDistro(backstop)`', what: 'unix seconds of the newest distribution to a backstop' },
})

export const dropped = blendEntry({
  key: 'dropped:{backstop}',
  value: values.flagValue,
  read: readFlag,
  place: (state, { contract, backstop }) => {
    const of = emitterOf(state, contract)
    return of === null ? null : item(of.dropped, backstop)
  },
  notices: { unreadable: 'unreadable drop' },
  docs: { under: 'emitter', from: '`Dropped(backstop)`', what: "whether a backstop's drop list was paid" },
})
