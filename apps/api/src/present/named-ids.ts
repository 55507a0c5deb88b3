// Which assets and contracts an answer names. They are found in the answer itself, so that `enrichment` lacks none of them.

const CONTRACT = /^C[A-Z2-7]{55}$/
const CONTRACT_LENGTH = 56
/** A price source also names a contract. */
const PRICE_SOURCE = /^(?:oracle|pool):(C[A-Z2-7]{55})$/

/** Members whose value is an asset, even if the contract also has another role. `path` is a list of tokens, `bid` and `lot` are amounts by token. */
const ASSET_MEMBERS: ReadonlySet<string> = new Set([
  'asset_id',
  'asset_address',
  'collateral_asset',
  'stable_asset',
  'share_asset',
  'lp_token',
  'path',
  'bid',
  'lot',
])

export interface NamedIds {
  readonly assets: ReadonlySet<string>
  /** Every other contract id. Most are contracts of protocols; some may be tokens. */
  readonly contracts: ReadonlySet<string>
}

export function namedIds(data: unknown): NamedIds {
  const assets = new Set<string>()
  const contracts = new Set<string>()
  const visit = (value: unknown, member: string): void => {
    if (typeof value === 'string') {
      // Most texts of an answer are amounts and symbols.
      if (value.length < CONTRACT_LENGTH) return
      if (CONTRACT.test(value)) (ASSET_MEMBERS.has(member) ? assets : contracts).add(value)
      else {
        const source = PRICE_SOURCE.exec(value)?.[1]
        if (source !== undefined) contracts.add(source)
      }
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, member)
    } else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) {
        visit(name, member)
        visit((value as Readonly<Record<string, unknown>>)[name], name)
      }
    }
  }
  visit(data, '')
  return { assets, contracts }
}
