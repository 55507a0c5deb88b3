// A reserve of a pool: its rates and supplies, its config, and the config that waits for its unlock time.

import { member } from '@orrery/fold-kit'
import { readQueuedConfig, readReserveConfig, readReserveData } from '../chain/pool-entries.ts'
import { queuedConfig, reserveConfig, reserveData } from '../chain/values.ts'
import { reserveChanged } from './changes.ts'
import { blendEntry, inPool, poolChanged } from './entry.ts'
import { poolOf, reserveOf } from './state.ts'

export const config = blendEntry({
  key: 'config:{asset}',
  value: reserveConfig,
  read: readReserveConfig,
  place: (state, { contract, asset }) => inPool(state, contract, (pool) => member(reserveOf(pool, asset), 'config')),
  notices: { unreadable: 'unreadable reserve config' },
  onChange: (change, at, context) => {
    poolChanged(change, at, context)
    const pool = poolOf(context.state, at.contract)
    const { data } = reserveOf(pool, at.asset)
    reserveChanged(context.changes, pool, at.asset, { data: data?.value ?? null, config: change.before })
  },
  docs: { under: 'pool', from: '`ResConfig`', what: "a reserve's settings" },
})

export const data = blendEntry({
  key: 'data:{asset}',
  value: reserveData,
  read: readReserveData,
  place: (state, { contract, asset }) => inPool(state, contract, (pool) => member(reserveOf(pool, asset), 'data')),
  notices: { unreadable: 'unreadable reserve data' },
  onChange: (change, at, context) => {
    poolChanged(change, at, context)
    const pool = poolOf(context.state, at.contract)
    const { config: settings } = reserveOf(pool, at.asset)
    reserveChanged(context.changes, pool, at.asset, { data: change.before, config: settings?.value ?? null })
  },
  docs: { under: 'pool', from: '`ResData`', what: 'a reserve as of its last touch' },
})

export const queued = blendEntry({
  key: 'queued:{asset}',
  value: queuedConfig,
  read: readQueuedConfig,
  durability: 'temporary',
  place: (state, { contract, asset }) => inPool(state, contract, (pool) => member(reserveOf(pool, asset), 'queued')),
  notices: { unreadable: 'unreadable queued config' },
  docs: { under: 'pool', from: '`ResInit` (temporary)', what: 'settings that wait for their unlock time' },
})
