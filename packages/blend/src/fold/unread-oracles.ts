// Pools whose oracle cannot be read from storage: an adapter, a proxy, a feed that the registry does not list. Their assets have other prices or
// none, and a notice is counted once a day, so that health names it.

import type { Moment } from './ledger-end.ts'

export function noticeUnreadOracles({ state, slice, journal, network }: Moment): void {
  if (!slice.dayStart) return
  for (const { owned, instance } of state.pools.values()) {
    const oracle = instance?.value.oracle
    if (!owned || oracle === undefined || network.oracles.some(({ contract }) => contract === oracle)) continue
    journal.notice(oracle, 'oracle', 'a pool asks an oracle that cannot be read from storage')
  }
}
