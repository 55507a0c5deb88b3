// `/v1/users/{address}/positions/<vaults>`: an account's open vaults and locked stakes, now or at the end of a ledger.

import { poolOfCurrency } from '@orrery/fxdao'
import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { withReadLedger } from '../present/read-ledger.ts'
import { areVaultsComplete, Locked, presentLocked, presentVault, Vault } from '../present/vault-position.ts'
import { vaultReader } from '../readers/vault.ts'
import { defineRoute, type Route } from '../route.ts'
import type { ProtocolOf } from '../views.ts'
import { answerAccount } from './account-answer.ts'
import { schemaName, stabilityOf } from './kind-names.ts'

export function vaultPositions(protocol: ProtocolOf<'vault'>): Route {
  return defineRoute({
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
    data: z
      .strictObject({ address: z.string(), vaults: z.array(Vault).describe('By currency.'), locked: z.array(Locked) })
      .meta({ id: `${schemaName(protocol.id)}Positions` }),
    handle: ({ params: { address }, query }, context) =>
      answerAccount(
        {
          protocol: protocol.id,
          address,
          asOfLedger: query.as_of_ledger,
          read: (own, moment) => vaultReader(protocol, context).rankedAccount(address, own, moment),
          present(account, { ledger, prices, readAt }) {
            const { vaults, locked } = account.positions(prices)
            const data = {
              address,
              vaults: vaults.map((vault) => withReadLedger(presentVault(vault, ledger), readAt(poolOfCurrency(vault.denomination)))),
              locked: locked.map((it) => withReadLedger(presentLocked(it), readAt(it.contract))),
            }
            return { data, complete: areVaultsComplete(vaults, locked) }
          },
        },
        context,
      ),
  })
}
