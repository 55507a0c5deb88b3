// `/v1/users/{address}/positions/<amm>`: what an account holds of the pools of an AMM, now or at the end of a ledger.

import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { isLpComplete, PairPosition, PoolPosition, presentPairPosition, presentPoolPosition } from '../present/lp-position.ts'
import { withReadLedger } from '../present/read-ledger.ts'
import { ammReader } from '../readers/amm.ts'
import { defineRoute, type Route } from '../route.ts'
import type { ProtocolOf } from '../views.ts'
import { answerAccount } from './account-answer.ts'
import { schemaName, stabilityOf } from './kind-names.ts'

export function ammPositions(protocol: ProtocolOf<'amm'>): Route {
  return protocol.view.page === 'pairs' ? pairPositions(protocol) : poolPositions(protocol)
}

/** Positions that are open or have rewards to claim. */
function poolPositions(protocol: ProtocolOf<'amm'>): Route {
  const name = schemaName(protocol.id)
  return defineRoute({
    ...pageOf(protocol),
    data: z
      .strictObject({ address: z.string(), pools: z.array(PoolPosition.meta({ id: `${name}Pool` })) })
      .meta({ id: `${name}Positions` }),
    handle: ({ params: { address }, query }, context) =>
      answerAccount(
        {
          ...{
            protocol: protocol.id,
            address,
            asOfLedger: query.as_of_ledger,
            read: ammReader(protocol, context).account.bind(null, address),
          },
          present(account, { ledger, prices, readAt }) {
            const positions = account.positions(prices)
            const pools = positions.map((position) => withReadLedger(presentPoolPosition(position, ledger), readAt(position.pool)))
            return { data: { address, pools }, complete: positions.every(isLpComplete) }
          },
        },
        context,
      ),
  })
}

/** Open positions in pairs. */
function pairPositions(protocol: ProtocolOf<'amm'>): Route {
  const name = schemaName(protocol.id)
  return defineRoute({
    ...pageOf(protocol),
    data: z
      .strictObject({ address: z.string(), pairs: z.array(PairPosition.meta({ id: `${name}Pair` })) })
      .meta({ id: `${name}Positions` }),
    handle: ({ params: { address }, query }, context) =>
      answerAccount(
        {
          ...{
            protocol: protocol.id,
            address,
            asOfLedger: query.as_of_ledger,
            read: ammReader(protocol, context).account.bind(null, address),
          },
          present(account, { ledger, prices, readAt }) {
            const positions = account.positions(prices)
            const pairs = positions.map((position) => withReadLedger(presentPairPosition(position, ledger), readAt(position.pool)))
            return { data: { address, pairs }, complete: positions.every(isLpComplete) }
          },
        },
        context,
      ),
  })
}

function pageOf(protocol: ProtocolOf<'amm'>) {
  return {
    operationId: `get${schemaName(protocol.id)}Positions`,
    method: 'get',
    path: `/v1/users/:address/positions/${protocol.id}`,
    summary: `Positions of an account in ${protocol.displayName}`,
    tagName: 'Positions',
    stability: stabilityOf(protocol, 'positions'),
    params: z.strictObject({ address: AccountAddress }),
    query: z.strictObject({
      as_of_ledger: LedgerParameter.optional().describe('Positions at the end of this ledger. Omit for the latest.'),
    }),
  } as const
}
