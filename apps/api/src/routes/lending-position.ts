// `/v1/users/{address}/positions/<lending>/{pool_id}`: what an account has in one lending pool, now or at the end of a ledger. Nothing, in a pool
// that is known: an empty position.

import { z } from 'zod'
import { refuse } from '../errors.ts'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import {
  emptyPoolPosition,
  isComplete,
  LendingPoolPosition,
  poolWithReadLedger,
  presentLendingPosition,
} from '../present/lending-position.ts'
import { refuseQuarantined } from '../quarantined-pool.ts'
import { lendingReader } from '../readers/lending.ts'
import { defineRoute, type Route } from '../route.ts'
import type { ProtocolOf } from '../views.ts'
import { answerAccount } from './account-answer.ts'
import { schemaName, stabilityOf } from './kind-names.ts'

export function lendingPosition(protocol: ProtocolOf<'lending'>): Route {
  const called = protocol.view.pool
  return defineRoute({
    operationId: `get${schemaName(protocol.id)}Position`,
    method: 'get',
    path: `/v1/users/:address/positions/${protocol.id}/:pool_id`,
    summary: `Position of an account in ${called}`,
    description:
      'Supply, collateral, debts and the part of the backstop of one account in one pool, with interest accrued to the ledger of the answer. A pool in which the account has nothing gives an empty position.',
    tagName: 'Positions',
    stability: stabilityOf(protocol, 'positions'),
    params: z.strictObject({ address: AccountAddress, pool_id: ContractAddress }),
    query: z.strictObject({
      as_of_ledger: LedgerParameter.optional().describe('Position at the end of this ledger. Omit for the latest.'),
    }),
    data: z
      .strictObject({
        address: z.string().describe('The account.'),
        pool: LendingPoolPosition.describe('What the account has in the pool.'),
      })
      .meta({ id: `${schemaName(protocol.id)}Position` }),
    async handle({ params: { address, pool_id: pool }, query }, context) {
      await refuseQuarantined(pool, context)
      return answerAccount(
        {
          protocol: protocol.id,
          address,
          asOfLedger: query.as_of_ledger,
          async read(own, moment) {
            const reader = lendingReader(protocol, context)
            const account = await reader.poolAccount(pool, address, own, moment)
            // Whether a pool is known does not depend on the ledger asked for: before its first one the position is empty.
            const isKnown = account.knowsPool(pool) || (await reader.contracts([pool], moment.indexed.last)).knowsPool(pool)
            if (!isKnown) throw refuse('not_found', `\`${pool}\` is not ${called} of this index.`)
            return account
          },
          present(account, { ledger, prices, readAt }) {
            const position = account.position(prices)
            const shown = position === null ? emptyPoolPosition(pool, account.poolName) : presentLendingPosition(position, ledger)
            const data = { address, pool: poolWithReadLedger(shown, () => readAt(pool)) }
            return { data, complete: position === null || isComplete(position) }
          },
        },
        context,
      )
    },
  })
}
