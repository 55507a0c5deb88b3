// The portfolios of one or several accounts at one ledger: one statement reads the rows of all accounts in all protocols, and the state of each
// pool is loaded once.

import type { Address } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'
import { LONGEST_PIECE_MS, yieldToEventLoop } from '@orrery/service-kit'
import type { z } from 'zod'
import { type Portfolio, portfolioOf } from '../present/portfolio.ts'
import { PriceUse } from '../present/price-use.ts'
import { entryWithReadLedgers } from '../present/read-ledger.ts'
import { type OwnState, ownState, rowsOf } from '../read-through/own-state.ts'
import { readersOf } from '../readers/index.ts'
import type { Moment, Names } from '../readers/protocol-reader.ts'
import type { RouteContext } from '../route.ts'

interface ShownPortfolio {
  readonly data: z.input<typeof Portfolio>
  /** Everything that belongs in its totals has a price. */
  readonly complete: boolean
}

export interface Portfolios {
  /** In the order of the accounts. */
  readonly all: readonly ShownPortfolio[]
  /** Names of the protocols that one of them shows. */
  readonly names: readonly Names[]
  /** The prices that they use. */
  readonly prices: PriceUse
  readonly own: OwnState
}

/** @param late Protocols of which positions that predate the index are read from an RPC. Empty for an answer as of a requested ledger. */
export async function readPortfolios(
  addresses: readonly Address[],
  moment: Moment,
  late: readonly ProtocolId[],
  context: RouteContext,
): Promise<Portfolios> {
  const asked = ownState({ addresses, at: moment.at, late }, context)
  const states = await Promise.all(readersOf(context).map((reader) => reader.accounts(addresses, rowsOf(asked, reader.protocol), moment)))
  const own = await asked
  const prices = new PriceUse(moment.at.closeTimeSeconds)
  const shown = new Set<Names>()
  const all: ShownPortfolio[] = []
  const pause = yieldToEventLoop(LONGEST_PIECE_MS)
  for (const address of addresses) {
    await pause()
    const parts = states.flatMap((state) => {
      const part = state.portfolio(address, prices)
      if (part === null) return []
      shown.add(state)
      return [{ ...part, entry: entryWithReadLedgers(part.entry, (pool) => own.readAt(address, state.protocol, pool)) }]
    })
    const data = portfolioOf(
      address,
      parts.map(({ entry }) => entry),
    )
    all.push({ data, complete: parts.every(({ complete }) => complete) })
  }
  return { all, names: [...shown], prices, own }
}
