import { z } from 'zod'
import { AccountAddress } from '../params/address.ts'
import { LedgerParameter } from '../params/integer.ts'
import { PriceUse } from '../present/price-use.ts'
import { areVaultsComplete, Locked, presentLocked, presentVault, Vault } from '../present/vault-position.ts'
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
    const own = context.readModel.ownerStateAsOf({ owner: address, protocol: 'fxdao', ledger: at.ledger }, context.call)
    const fxdao = await fxdaoReader(context).rankedAccount(address, own, { at, indexed: basis.indexed })
    const prices = new PriceUse(at.closeTimeSeconds)
    const { vaults, locked } = fxdao.positions(prices)

    const data = { address, vaults: vaults.map((vault) => presentVault(vault, at.ledger)), locked: locked.map(presentLocked) }
    return {
      data,
      enrichment: await enrich(data, at, prices, context, [fxdao]),
      facts: factsOf(basis, { partial: basis.beginsLate || at.outside || !areVaultsComplete(vaults, locked), prices }),
      asOfLedger: query.as_of_ledger === undefined ? undefined : Number(query.as_of_ledger),
      tag: basis.tag,
    }
  },
})
