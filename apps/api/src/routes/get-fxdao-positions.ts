import { poolOfCurrency } from '@orrery/fxdao'
import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { PriceUse } from '../present/price-use.ts'
import { withReadLedger } from '../present/read-ledger.ts'
import { areVaultsComplete, Locked, presentLocked, presentVault, Vault } from '../present/vault-position.ts'
import { ownState, rowsOf } from '../read-through/own-state.ts'
import { fxdaoReader } from '../readers/fxdao.ts'
import { defineRoute } from '../route.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'

/** An account's open vaults and locked stakes in FxDAO, now or at the end of a ledger. */
export const getFxdaoPositions = defineRoute({
  method: 'get',
  path: '/v1/users/:address/positions/fxdao',
  summary: 'Positions of an account in FxDAO',
  tagName: 'Positions',
  stability: 'experimental',
  params: z.strictObject({ address: AccountAddress }),
  query: z.strictObject({ as_of_ledger: LedgerParameter.optional().describe('Positions at the end of this ledger. Omit for the latest.') }),
  data: z
    .strictObject({ address: z.string(), vaults: z.array(Vault).describe('By currency.'), locked: z.array(Locked) })
    .meta({ id: 'FxdaoPositions' }),
  async handle({ params: { address }, query }, context) {
    const basis = await basisOf(['fxdao'], context)
    const at = await answerLedger(query.as_of_ledger, basis, context)
    const late = query.as_of_ledger === undefined ? basis.late : []
    const asked = ownState({ address, protocol: 'fxdao', at, late }, context)
    const fxdao = await fxdaoReader(context).rankedAccount(address, rowsOf(asked), { at, indexed: basis.indexed })
    const own = await asked
    const prices = new PriceUse(at.closeTimeSeconds)
    const { vaults, locked } = fxdao.positions(prices)

    const data = {
      address,
      vaults: vaults.map((vault) =>
        withReadLedger(presentVault(vault, at.ledger), own.readAt('fxdao', poolOfCurrency(vault.denomination))),
      ),
      locked: locked.map((it) => withReadLedger(presentLocked(it), own.readAt('fxdao', it.contract))),
    }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [fxdao]),
      facts: factsOf(basis, { partial: basis.beginsLate || at.outside || !areVaultsComplete(vaults, locked), prices, own }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: [...basis.tag, ...own.tag],
      cached: own.isOfIndexAlone,
    }
  },
})
