// From a registry document to the `Network` that the rest of Orrery knows. All problems are told at once.

import { OrreryError } from '@orrery/errors'
import type { Network, OracleBase } from '@orrery/protocol-kit'
import type { z } from 'zod'
import { RegistryFile } from './registry-file.ts'

/**
 * @param origin Names the document in messages: its path, or the name of a shipped network.
 * @throws OrreryError `invalid`/`invalid_registry` with every problem and its path.
 */
export function networkFromJson(json: unknown, origin = 'registry'): Network {
  const parsed = RegistryFile.safeParse(json)
  if (!parsed.success) throw invalidRegistry(origin, parsed.error.issues.flatMap(describe))
  return toNetwork(parsed.data)
}

function toNetwork(file: RegistryFile): Network {
  return {
    name: file.network,
    passphrase: file.passphrase,
    firstLedger: file.first_ledger,
    deployments: {
      soroswap: file.protocols.soroswap.deployments.map(({ factory, routers, from_ledger }) => ({
        factory,
        routers,
        fromLedger: from_ledger,
      })),
      blend: file.protocols.blend.deployments.map(({ backstop_token, from_ledger, ...deployment }) => ({
        ...deployment,
        backstopToken: backstop_token,
        fromLedger: from_ledger,
      })),
      aquarius: file.protocols.aquarius.deployments.map((deployment) => ({
        router: deployment.router,
        rewardToken: deployment.reward_token,
        boostToken: deployment.boost_token,
        boostFeed: deployment.boost_feed,
        fromLedger: deployment.from_ledger,
      })),
      fxdao: file.protocols.fxdao.deployments.map(({ vaults, locking_pools, from_ledger }) => ({
        vaults,
        lockingPools: locking_pools,
        fromLedger: from_ledger,
      })),
    },
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
