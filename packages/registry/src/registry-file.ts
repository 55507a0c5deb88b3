// The shape of a registry file: one JSON document a network, snake_case, nothing in it that is not known here.
// Addresses are checked down to their checksum: a root of trust with a typing error would follow nothing, or somebody else.

import { isAccountId, isContractId } from '@orrery/ledger'
import { PROTOCOL_IDS } from '@orrery/protocol-kit'
import { z } from 'zod'

const Contract = z.string().refine(isContractId, { error: 'is not a contract address (C… with a right checksum)' })
const Account = z.string().refine(isAccountId, { error: 'is not an account address (G… with a right checksum)' })
/** Sequence of a ledger, u32. */
const Ledger = z.int().min(1).max(0xffff_ffff)

const SoroswapDeployment = z.strictObject({ factory: Contract, routers: z.array(Contract), from_ledger: Ledger })
const BlendDeployment = z.strictObject({
  version: z.enum(['v1', 'v2']),
  factory: Contract,
  backstop: Contract,
  emitter: Contract,
  backstop_token: Contract,
  blnd: Contract,
  usdc: Contract,
  from_ledger: Ledger,
})
const AquariusDeployment = z.strictObject({
  router: Contract,
  reward_token: Contract.nullable().default(null),
  boost_token: Contract.nullable().default(null),
  boost_feed: Contract.nullable().default(null),
  from_ledger: Ledger,
})
const FxdaoDeployment = z.strictObject({ vaults: Contract, locking_pools: z.array(Contract), from_ledger: Ledger })

const OracleBase = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('asset'), asset: Contract }),
  z.strictObject({ kind: z.literal('symbol'), symbol: z.string().min(1).max(32) }),
])

const Oracle = z.strictObject({
  contract: Contract,
  kind: z.enum(['reflector', 'oracle_aggregator', 'fxdao_currencies']),
  base: OracleBase,
  decimals: z.int().min(0).max(38),
})

const AssetHint = z.strictObject({
  code: z.string().min(1).max(32),
  issuer: Account.nullable(),
  decimals: z.int().min(0).max(255),
  tags: z.array(z.string().min(1)).default([]),
})

const Soroswap = z.strictObject({
  deployments: z.array(SoroswapDeployment).superRefine(noRepeats((deployment) => deployment.factory)),
})
const Blend = z.strictObject({ deployments: z.array(BlendDeployment).superRefine(noRepeats((deployment) => deployment.factory)) })
const Aquarius = z.strictObject({ deployments: z.array(AquariusDeployment).superRefine(noRepeats((deployment) => deployment.router)) })
const Fxdao = z.strictObject({ deployments: z.array(FxdaoDeployment).superRefine(noRepeats((deployment) => deployment.vaults)) })
const none = () => ({ deployments: [] })

export const RegistryFile = z.strictObject({
  /** Part of topic and folder names. */
  network: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'must be 1 to 40 of a-z, 0-9 and -' }),
  passphrase: z.string().min(1),
  first_ledger: Ledger,
  protocols: z.strictObject({
    blend: Blend.default(none),
    aquarius: Aquarius.default(none),
    soroswap: Soroswap.default(none),
    fxdao: Fxdao.default(none),
  }),
  /** In the order in which they are asked. */
  oracles: z
    .array(Oracle)
    .superRefine(noRepeats((oracle) => oracle.contract))
    .default([]),
  /** In the order in which they are asked. */
  price_pools: z
    .array(z.strictObject({ protocol: z.enum(PROTOCOL_IDS), contract: Contract }))
    .superRefine(noRepeats((pool) => pool.contract))
    .default([]),
  usd_pegs: z
    .array(z.strictObject({ asset: Contract, why: z.string().min(1) }))
    .superRefine(noRepeats((peg) => peg.asset))
    .default([]),
  assets: z.record(Contract, AssetHint).default({}),
  known_pools: z
    .array(
      z.strictObject({
        protocol: z.enum(PROTOCOL_IDS),
        contract: Contract,
        from_ledger: Ledger,
        tokens: z.array(Contract).default([]),
        factory: Contract.optional(),
      }),
    )
    .superRefine(noRepeats((pool) => pool.contract))
    .default([]),
})
export type RegistryFile = z.infer<typeof RegistryFile>

/** Two entries for one contract could contradict each other. */
function noRepeats<T>(identity: (item: T) => string): (items: readonly T[], context: z.core.$RefinementCtx<T[]>) => void {
  return (items, context) => {
    const seen = new Set<string>()
    items.forEach((item, n) => {
      if (seen.has(identity(item))) context.addIssue({ code: 'custom', path: [n], message: 'stands here twice' })
      seen.add(identity(item))
    })
  }
}
