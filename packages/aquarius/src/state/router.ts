// What a router keeps: its settings, and the rewards of the running round.

import { member, stateEntry } from '@orrery/fold-kit'
import { readRouterInstance, readRouterRewards, routerInstance, routerRewards } from '../chain/router-entries.ts'
import { type AquariusState, routerOf } from './state.ts'

export const router = stateEntry<AquariusState>()({
  key: 'router',
  value: routerInstance,
  read: (bytes, { contract }) => readRouterInstance(bytes, contract),
  place: (state, { contract }) => member(routerOf(state, contract), 'instance'),
  removal: 'kept',
  docs: { under: 'router', from: 'instance', what: 'settings' },
})

export const rewards = stateEntry<AquariusState>()({
  key: 'rewards',
  value: routerRewards,
  durability: 'temporary',
  read: readRouterRewards,
  place: (state, { contract }) => member(routerOf(state, contract), 'rewards'),
  notices: { unreadable: 'unreadable rewards of the router' },
  docs: { under: 'router', from: '`RewardsConfig` (temporary)', what: 'rate of the running round' },
})
