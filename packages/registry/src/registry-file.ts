// The shape of a registry file: one JSON document a network, snake_case, nothing in it that is not known here.
// Addresses are checked down to their checksum: a root of trust with a typing error would follow nothing, or another contract.
// The members of `protocols` come from the protocols that the file is read with.

import { isAccountId } from '@orrery/ledger'
import { ContractAddress, type DeploymentKind, LedgerSequence, type ProtocolFacts, type ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'

const Account = z.string().refine(isAccountId, { error: 'is not an account address (G… with a right checksum)' })

const OracleBase = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('asset'), asset: ContractAddress }),
  z.strictObject({ kind: z.literal('symbol'), symbol: z.string().min(1).max(32) }),
])

const Oracle = z.strictObject({
  contract: ContractAddress,
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

/** Members of one deployment, as the file spells them. */
type DeploymentMembers = Readonly<Record<string, unknown>>

interface DeploymentsOfProtocol {
  readonly deployments: readonly DeploymentMembers[]
}

/** Of one protocol: all of its deployments. */
function deploymentsSchema({ shape, identity }: DeploymentKind): z.ZodType<DeploymentsOfProtocol> {
  const deployments = z.array(z.strictObject(shape)).superRefine(noRepeats((deployment: DeploymentMembers) => String(deployment[identity])))
  return z.strictObject({ deployments }).default(() => ({ deployments: [] }))
}

/** The schema of registry files that name these protocols. */
export function registryFileOf(protocols: readonly ProtocolFacts[]) {
  const Id = z.enum(protocols.map(({ id }) => id))
  const ofProtocols: Record<ProtocolId, z.ZodType<DeploymentsOfProtocol>> = Object.fromEntries(
    protocols.map(({ id, deployment }) => [id, deploymentsSchema(deployment)]),
  )
  return z.strictObject({
    /** Part of topic and folder names. */
    network: z.string().regex(/^[a-z0-9-]{1,40}$/, { error: 'must be 1 to 40 of a-z, 0-9 and -' }),
    passphrase: z.string().min(1),
    first_ledger: LedgerSequence,
    protocols: z.strictObject(ofProtocols),
    /** In the order in which they are asked. */
    oracles: z
      .array(Oracle)
      .superRefine(noRepeats((oracle) => oracle.contract))
      .default([]),
    /** In the order in which they are asked. */
    price_pools: z
      .array(z.strictObject({ protocol: Id, contract: ContractAddress }))
      .superRefine(noRepeats((pool) => pool.contract))
      .default([]),
    usd_pegs: z
      .array(z.strictObject({ asset: ContractAddress, why: z.string().min(1) }))
      .superRefine(noRepeats((peg) => peg.asset))
      .default([]),
    assets: z.record(ContractAddress, AssetHint).default({}),
    known_pools: z
      .array(
        z.strictObject({
          protocol: Id,
          contract: ContractAddress,
          from_ledger: LedgerSequence,
          tokens: z.array(ContractAddress).default([]),
          factory: ContractAddress.optional(),
        }),
      )
      .superRefine(noRepeats((pool) => pool.contract))
      .default([]),
  })
}
export type RegistryFile = z.infer<ReturnType<typeof registryFileOf>>

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
