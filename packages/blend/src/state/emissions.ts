// Emissions of a pool by reserve token: 2 · index = dTokens, 2 · index + 1 = bTokens.

import { member } from '@orrery/fold-kit'
import { readEmissionConfig, readEmissionData, readEmissionShares } from '../chain/pool-entries.ts'
import * as values from '../chain/values.ts'
import { blendEntry, inPool, poolChanged } from './entry.ts'
import { emissionOf } from './state.ts'

export const emissionShares = blendEntry({
  key: 'emission_shares',
  value: values.emissionShares,
  read: readEmissionShares,
  place: (state, { contract }) => inPool(state, contract, (pool) => member(pool, 'emissionShares')),
  notices: { unreadable: 'unreadable emission shares' },
  onChange: poolChanged,
  docs: { under: 'pool', from: '`PoolEmis`', what: "shares of the pool's emissions by reserve token" },
})

export const emission = blendEntry({
  key: 'emission:{token}',
  value: values.emissionData,
  read: readEmissionData,
  place: (state, { contract, token }) => inPool(state, contract, (pool) => member(emissionOf(pool, Number(token)), 'data')),
  notices: { unreadable: 'unreadable emission' },
  onChange: poolChanged,
  docs: {
    under: 'pool',
    from: '`EmisData`',
    what: 'emissions of a reserve token: 2 · index = dTokens, 2 · index + 1 = bTokens',
  },
})

export const emissionConfig = blendEntry({
  key: 'emission_config:{token}',
  value: values.emissionConfig,
  read: readEmissionConfig,
  place: (state, { contract, token }) => inPool(state, contract, (pool) => member(emissionOf(pool, Number(token)), 'config')),
  notices: { unreadable: 'unreadable emission config' },
  onChange: poolChanged,
  docs: { under: 'pool', from: '`EmisConfig` (v1)', what: 'rate and end of the emissions of a reserve token' },
})
