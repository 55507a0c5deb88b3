// From a `Network` back to the document that it is read from: what the event log, the read model and comparisons hold.
// Every optional member is written, so that a registry that leaves one out is the same as one that spells its default.

import { OrreryError, reasonOf } from '@orrery/errors'
import { deploymentsOf, type Network, type ProtocolFacts, writeDeployment } from '@orrery/protocol-kit'
import { networkFromJson } from './network-from-json.ts'
import type { RegistryFile } from './registry-file.ts'

/** The registry as its file has it. */
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

/** @throws OrreryError `invalid`/`invalid_registry`, also when a newer Orrery wrote members that this one does not know. */
export function networkFromText(protocols: readonly ProtocolFacts[], text: string, origin: string): Network {
  return networkFromJson(protocols, JSON.parse(text), origin)
}

/**
 * The registry that the event log or the read model records from a ledger on.
 *
 * @throws OrreryError `invalid`/`registry_newer_than_build` when this build cannot read it: a newer Orrery recorded what this one does not know.
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
      `This build cannot read the registry that ingest recorded from ledger ${fromLedger} on: a newer Orrery recorded it, or the record is damaged.\n${listed.join('\n')}\nThe event log and all rows are whole. Update this process to the version of ingest, then start it again.`,
      { context: { fromLedger }, cause },
    )
  }
}
