// TVL by day: of the days that are over from stored snapshots, and the day of the answer's ledger has the pools themselves.

import type { ProtocolId } from '@orrery/protocol-kit'
import { outOfBackground } from '@orrery/service-kit'
import type { DayTvl, PastDays } from '../kept-days.ts'
import { DAY_SECONDS, type DayWindow } from '../params/tvl-query.ts'
import { sumOf } from '../present/amount.ts'
import { PriceUse } from '../present/price-use.ts'
import type { Moment } from '../readers/protocol-reader.ts'
import { sharedLists } from '../readers/shared-lists.ts'
import type { RouteContext } from '../route.ts'
import { lastClosed } from './other-axis.ts'
import { readPoolDays } from './pool-days.ts'

/** One for each day of the window, and the prices behind the value at the answer's ledger. */
export async function readTvl(
  protocol: ProtocolId,
  window: DayWindow,
  moment: Moment,
  context: RouteContext,
): Promise<{ readonly points: DayTvl[]; readonly prices: PriceUse }> {
  const prices = new PriceUse(moment.at.closeTimeSeconds)
  const pastDays = window.days - (window.endsAtAnswer ? 1 : 0)
  const today = window.firstDaySeconds + pastDays * DAY_SECONDS
  const [past, present] = await Promise.all([
    pastDays === 0 ? [] : tvlOfPastDays({ protocol, first: window.firstDaySeconds, days: pastDays, end: today }, moment, context),
    window.endsAtAnswer ? presentTvl(protocol, today, moment, prices, context) : [],
  ])
  return { points: [...past, ...[present].flat()], prices }
}

function tvlOfPastDays(asked: PastDays, moment: Moment, context: RouteContext): Promise<readonly DayTvl[]> {
  const { keptDays, readModel, call } = context
  const { signal } = new AbortController()
  const ofAll = { ...context, signal, call: { tag: call.tag, signal } }
  return keptDays.tvl(asked, readModel, (isShared) =>
    isShared ? outOfBackground(() => readPastDays(asked, moment, ofAll)) : readPastDays(asked, moment, context),
  )
}

async function readPastDays(asked: PastDays, { indexed }: Moment, context: RouteContext): Promise<DayTvl[]> {
  const { first, days } = asked
  const starts = Array.from({ length: days }, (_, n) => first + n * DAY_SECONDS)
  const to = first + days * DAY_SECONDS - 1
  const [rows, lastOf] = await Promise.all([
    readPoolDays(asked, indexed.last.ledger, context),
    lastClosed({ axis: 'time', first, width: DAY_SECONDS, count: days, from: first, to }, starts, indexed, context),
  ])
  return rows.map(({ day_seconds: start, tvl_usd: tvlUsd, unpriced }) => ({
    start,
    ...lastOf(start),
    tvlUsd,
    isUnpriced: unpriced > 0n,
  }))
}

/** The sum of what `/v1/pools` shows of the protocol's pools at the ledger. */
async function presentTvl(protocol: ProtocolId, start: number, moment: Moment, prices: PriceUse, context: RouteContext): Promise<DayTvl> {
  const lists = await sharedLists((reader) => reader.protocol === protocol, moment, context)
  const entries = lists.flatMap((list) => list.entries)
  for (const price of entries.flatMap((entry) => entry.prices)) prices.add(price)
  return {
    start,
    ledger: moment.at.ledger,
    seconds: moment.at.closeTimeSeconds,
    tvlUsd: sumOf(entries.map(({ item }) => item.tvl_usd)),
    isUnpriced: entries.some(({ isUnpriced, hasUnknownDecimals }) => isUnpriced || hasUnknownDecimals),
  }
}
