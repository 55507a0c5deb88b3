// `/v1/users/{address}/positions/<lending>/{pool_id}`: what an account has in one lending pool, now or at the end of a ledger. Nothing, in a pool
// that is known: an empty position.

import type { ContractId } from '@orrery/ledger'
import { z } from 'zod'
import { refuse } from '../errors.ts'
import { AccountAddress, ContractAddress } from '../params/address.ts'
import { type GivenPrices, GivenPricesParameter, PRICES_ABOVE_ZERO } from '../params/given-prices.ts'
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
import { givenPrices } from './warn.ts'

/** First sentence of the refusal. */
const NO_RESERVE = '`prices` may only name assets that are reserves of the pool at the ledger of the answer.'

export function lendingPosition(protocol: ProtocolOf<'lending'>): Route {
  const called = protocol.view.pool
  return defineRoute({
    operationId: `get${schemaName(protocol.id)}Position`,
    method: 'get',
    path: `/v1/users/:address/positions/${protocol.id}/:pool_id`,
    summary: `Position of an account in ${called}`,
    description:
      'Supply, collateral, debts and the part of the backstop of one account in one pool, with interest accrued to the ledger of the answer. A pool in which the account has nothing gives an empty position.\n\n' +
      'With `prices` the answer is a what-if: health factor, borrow limit, liquidation prices and USD values are computed in the same way from the given prices in place of those of the oracle. ' +
      `Its balances have the source \`request\`, and \`meta.warnings\` has \`given_prices\`. ${NO_RESERVE}`,
    tagName: 'Positions',
    stability: stabilityOf(protocol, 'positions'),
    params: z.strictObject({ address: AccountAddress, pool_id: ContractAddress }),
    query: z.strictObject({
      as_of_ledger: LedgerParameter.optional().describe('Position at the end of this ledger. Omit for the latest.'),
      prices: GivenPricesParameter.optional()
        .meta({ 'x-stability': 'experimental' })
        .describe(
          'Experimental. USD prices of reserves of the pool, as `contract:price` with commas between. Reserves that are not named keep the price of the oracle; rewards and the backstop keep theirs.',
        ),
    }),
    rules: [PRICES_ABOVE_ZERO],
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
            refuseUnknownReserves(query.prices, pool, account.reserves)
            const position = account.position(prices, query.prices && new Map(query.prices))
            const shown = position === null ? emptyPoolPosition(pool, account.poolName) : presentLendingPosition(position, ledger)
            const data = { address, pool: poolWithReadLedger(shown, () => readAt(pool)) }
            const complete = position === null || isComplete(position)
            return { data, complete, warnings: query.prices === undefined ? [] : [givenPrices()] }
          },
        },
        context,
      )
    },
  })
}

function refuseUnknownReserves(given: GivenPrices | undefined, pool: ContractId, reserves: readonly ContractId[]): void {
  const unknown = given?.map(([asset]) => asset).find((asset) => !reserves.includes(asset))
  if (unknown === undefined) return
  const known = reserves.length === 0 ? 'it has none' : `it has ${reserves.map((asset) => `\`${asset}\``).join(', ')}`
  throw refuse('invalid_parameter', `${NO_RESERVE} \`${unknown}\` is none of \`${pool}\`: ${known}.`)
}
