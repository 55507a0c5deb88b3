// What a backstop keeps as a whole.

import { amountValue } from '@orrery/fold-kit'
import { readBackstopInstance, readLpTokenValue } from '../chain/backstop-entries.ts'
import { readAmount, readContracts, readFlag, readSeconds } from '../chain/entry-reader.ts'
import * as values from '../chain/values.ts'
import { blendEntry, memberOf } from './entry.ts'
import { backstopOf } from './state.ts'

export const backstop = blendEntry({
  key: 'whole',
  value: values.backstopInstance,
  read: (bytes, { contract }) => readBackstopInstance(bytes, contract),
  place: (state, { contract }) => memberOf(backstopOf(state, contract), 'instance'),
  notices: { unreadable: 'unreadable backstop instance' },
  docs: { under: 'backstop', from: 'instance', what: 'the other contracts of its deployment' },
})

export const rewardZone = blendEntry({
  key: 'reward_zone',
  value: values.contractList,
  read: readContracts,
  place: (state, { contract }) => memberOf(backstopOf(state, contract), 'rewardZone'),
  notices: { unreadable: 'unreadable reward zone' },
  docs: { under: 'backstop', from: '`RZ`', what: 'the pools that get emissions' },
})

export const lastDistribution = blendEntry({
  key: 'last_distribution',
  value: amountValue,
  read: readSeconds,
  place: (state, { contract }) => memberOf(backstopOf(state, contract), 'lastDistribution'),
  notices: { unreadable: 'unreadable last distribution' },
  docs: { under: 'backstop', from: '`LastDist`', what: 'unix seconds of the newest distribution' },
})

export const lpValue = blendEntry({
  key: 'lp_value',
  value: values.lpTokenValue,
  shared: true,
  read: readLpTokenValue,
  place: (state, { contract }) => memberOf(backstopOf(state, contract), 'lpTokenValue'),
  notices: { unreadable: 'unreadable value of an LP token' },
  docs: { under: 'backstop', from: '`LPTknVal` (v1)', what: "the contract's own value of an LP token, 7 decimals" },
})

export const backfillEmissions = blendEntry({
  key: 'backfill_emissions',
  value: amountValue,
  read: readAmount,
  place: (state, { contract }) => memberOf(backstopOf(state, contract), 'backfillEmissions'),
  notices: { unreadable: 'unreadable back-filled emissions' },
  docs: { under: 'backstop', from: '`BackfillEmis` (v2)', what: 'BLND of the back-fill' },
})

export const backfilled = blendEntry({
  key: 'backfilled',
  value: values.flagValue,
  read: readFlag,
  place: (state, { contract }) => memberOf(backstopOf(state, contract), 'backfilled'),
  notices: { unreadable: 'unreadable back-fill' },
  docs: { under: 'backstop', from: '`Backfill` (v2)', what: 'what the contract stores of the state of the back-fill' },
})
