// The coins of FxDAO as sources of prices: the instance of the vaults names the token of each denomination, the price feed, and the collateral.
// An asset code like `EURx` proves nothing, because any account can issue one.
// Read apart from `readVaultsInstance`: only the members that prices need, so that an upgrade that changes others costs no price.

import { isInstanceKey } from '@orrery/fold-kit'
import { address, decode, matches, readInstance, type Shape, sc, struct, symbol, u128, variant } from '@orrery/ledger'
import type { PeggedCoinsReader } from '@orrery/protocol-kit'

const CurrencyKey = variant({ Currency: [symbol] })
const CurrencyShape = struct({ contract: address, denomination: symbol })
const TotalsKey = variant({ VaultsInfo: [symbol] })
const TotalsShape = struct({ denomination: symbol, total_col: u128 })
const CORE_STATE = sc.vec(sc.symbol('CoreState'))
const CoreShape = struct({ oracle: address })

export const peggedCoins: PeggedCoinsReader = {
  issuers: ({ fxdao }) => fxdao.map(({ vaults, fromLedger }) => ({ contract: vaults, fromLedger })),

  read({ contract, key, value }) {
    if (!isInstanceKey(key) || value === null) return null
    const where = { contract, what: 'vaults instance' }
    const { entries, get } = readInstance(value, where)
    const valuesOf = (name: Shape<unknown>) => entries.flatMap((entry) => (matches(name, entry.key) === null ? [] : [entry.value]))
    const totals = valuesOf(TotalsKey).map((bytes) => decode(TotalsShape, bytes, where))
    const secured = new Set(totals.flatMap(({ denomination, total_col }) => (total_col > 0n ? [denomination] : [])))
    const currencies = valuesOf(CurrencyKey).map((bytes) => decode(CurrencyShape, bytes, where))
    return {
      oracle: get(CORE_STATE, CoreShape)?.oracle ?? null,
      coins: currencies.map(({ contract: token, denomination }) => ({ token, denomination, hasCollateral: secured.has(denomination) })),
    }
  },
}
