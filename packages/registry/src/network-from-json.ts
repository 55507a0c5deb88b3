// From a registry document to the `Network` that the rest of Orrery knows. All problems are reported at once.

import { OrreryError } from '@orrery/errors'
import { type Deployments, type Network, type OracleBase, type ProtocolFacts, readDeployment } from '@orrery/protocol-kit'
import type { z } from 'zod'
import { type RegistryFile, registryFileOf } from './registry-file.ts'

/** Made once for a list of protocols: a schema is costly, and recorded registries are read again and again. */
const schemas = new WeakMap<readonly ProtocolFacts[], ReturnType<typeof registryFileOf>>()

function schemaOf(protocols: readonly ProtocolFacts[]): ReturnType<typeof registryFileOf> {
  const made = schemas.get(protocols) ?? registryFileOf(protocols)
  schemas.set(protocols, made)
  return made
}

/**
 * @param protocols Those that the document may name. The network keeps them.
 * @param origin Names the document in messages: its path, or the name of a shipped network.
 * @throws OrreryError `invalid`/`invalid_registry` with every problem and its path.
 */
export function networkFromJson(protocols: readonly ProtocolFacts[], json: unknown, origin = 'registry'): Network {
  const parsed = schemaOf(protocols).safeParse(json)
  if (!parsed.success) throw invalidRegistry(origin, parsed.error.issues.flatMap(describe))
  return toNetwork(protocols, parsed.data)
}

function toNetwork(protocols: readonly ProtocolFacts[], file: RegistryFile): Network {
  const deployments = protocols.map(({ id, deployment }) => {
    return [id, (file.protocols[id]?.deployments ?? []).map((members) => readDeployment(deployment, members))] as const
  })
  return {
    name: file.network,
    passphrase: file.passphrase,
    firstLedger: file.first_ledger,
    protocols,
    deployments: Object.fromEntries(deployments) as unknown as Deployments,
    oracles: file.oracles.map((oracle) => ({ ...oracle, base: oracle.base satisfies OracleBase })),
    pricePools: file.price_pools,
    usdPegs: file.usd_pegs,
    assets: file.assets,
    knownPools: file.known_pools.map(({ from_ledger, factory, ...pool }) => ({
      ...pool,
      fromLedger: from_ledger,
      ...(factory === undefined ? {} : { factory }),
    })),
  }
}

/** One line a problem: `protocols.soroswap.deployments[0].factory: is not a contract address …`. Each unknown member is a problem of its own. */
function describe(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.reduce<string>(
    (path, part) => path + (typeof part === 'number' ? `[${part}]` : `${path === '' ? '' : '.'}${String(part)}`),
    '',
  )
  const where = at === '' ? '' : `${at}: `
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${where}unknown member ${JSON.stringify(key)}`)
  if (issue.code === 'invalid_key') return [`${where}${issue.issues[0]?.message ?? issue.message}`]
  return [`${where}${issue.message}`]
}

export function invalidRegistry(origin: string, problems: readonly string[], cause?: unknown): OrreryError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  return new OrreryError(
    'invalid',
    'invalid_registry',
    `The network registry ${origin} has ${count}:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nNothing was started. Correct it and start again.`,
    { context: { origin }, cause },
  )
}
