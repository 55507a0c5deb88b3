// From a `Network` back to its registry document, for the event log, the read model and comparisons.
// Every optional member is written, so that a registry that omits one is equal to a registry with its default.

import { OrreryError, reasonOf } from '@orrery/errors'
import { deploymentsOf, type Network, type ProtocolFacts, writeDeployment } from '@orrery/protocol-kit'
import { networkFromJson } from './network-from-json.ts'
import type { RegistryFile } from './registry-file.ts'

/** The registry in the form of its file. */
export function registryDocument(network: Network): RegistryFile {
  return {
    network: network.name,
    passphrase: network.passphrase,
    first_ledger: network.firstLedger,
    protocols: Object.fromEntries(
      network.protocols.map(({ id, deployment }) => {
        return [id, { deployments: deploymentsOf(network, id).map((it) => writeDeployment(deployment, it)) }]
      }),
    ),
    oracles: network.oracles.map((oracle) => ({ ...oracle })),
    price_pools: network.pricePools.map((pool) => ({ ...pool })),
    usd_pegs: network.usdPegs.map((peg) => ({ ...peg })),
    assets: Object.fromEntries(Object.entries(network.assets).map(([asset, hint]) => [asset, { ...hint, tags: [...hint.tags] }])),
    known_pools: network.knownPools.map(({ fromLedger, tokens, ...pool }) => ({ ...pool, tokens: [...tokens], from_ledger: fromLedger })),
  }
}

/** The document as text, for a record of the event log. */
export function registryText(network: Network): string {
  return JSON.stringify(registryDocument(network))
}

/** @throws OrreryError `invalid`/`invalid_registry`, also if a newer version of Orrery wrote members that this one does not know. */
export function networkFromText(protocols: readonly ProtocolFacts[], text: string, origin: string): Network {
  return networkFromJson(protocols, JSON.parse(text), origin)
}

/**
 * The registry that the event log or the read model records from a ledger on.
 *
 * @throws OrreryError `invalid`/`registry_newer_than_build` if this build cannot read it, because a newer version of Orrery recorded it.
 */
export function recordedNetwork(protocols: readonly ProtocolFacts[], text: string, fromLedger: number): Network {
  try {
    return networkFromText(protocols, text, `that ingest recorded from ledger ${fromLedger} on`)
  } catch (cause) {
    const problems = reasonOf(cause)
      .split('\n')
      .filter((line) => line.startsWith('  '))
    const listed = problems.length > 0 ? problems : [`  ${reasonOf(cause)}`]
    throw new OrreryError(
      'invalid',
      'registry_newer_than_build',
      `This build cannot read the registry that ingest recorded from ledger ${fromLedger} on: a newer Orrery recorded it, or the record is damaged.\n${listed.join('\n')}\nThe event log and all rows are intact. Update this process to the version of ingest, then start it again.`,
      { context: { fromLedger }, cause },
    )
  }
}
