// Decides which registry applies from which ledger. A log keeps what was appended: a registry with additions is recorded from the next ledger
// on, so that every reader of the log, now or in a replay, folds each ledger with the same registry.

import { OrreryError } from '@orrery/errors'
import type { RegistryControl } from '@orrery/event-log'
import { type Network, RegistryHistory, type RegistryVersion } from '@orrery/protocol-kit'
import { compareRegistries, recordedNetwork, registryText } from '@orrery/registry'
import type { ControlHistory } from './control-history.ts'

/** Bytes of a registry as JSON. Kafka's own limit of a message is 1 MB. */
const LARGEST_DOCUMENT = 900_000

export interface RegistryPlan {
  readonly history: RegistryHistory
  /** Registries that the log does not record yet. To be appended before the first ledger that is read. */
  readonly records: readonly RegistryControl[]
  /** Additions of this start, as `oracles[C…]`; empty when there are none. */
  readonly additions: readonly string[]
}

/**
 * @param given The registry that ingest was started with.
 * @param before The registry that the log began with, where the caller has it and an older build did not record it.
 * @throws OrreryError `invalid`: `log_other_registry` when the registry does more than add, `registry_too_large`, `registry_newer_than_build`.
 */
export function planRegistry(
  { given, before, firstLedger }: { readonly given: Network; readonly before: Network | null; readonly firstLedger: number },
  control: ControlHistory,
): RegistryPlan {
  const recorded = control.registries.map(({ ledger, document }): RegistryVersion => {
    return { fromLedger: ledger, network: recordedNetwork(given.protocols, document, ledger) }
  })
  // Without a ledger nothing was folded: the log begins with the given registry.
  const isUnwritten = control.lastLedger === 0
  const first = isUnwritten ? given : (before ?? asTracked(given, control))
  const history = RegistryHistory.ofRecords(recorded.length > 0 ? recorded : [{ fromLedger: firstLedger, network: first }])
  const records = recorded.length > 0 ? [] : [recordOf(history.first)]

  const { additions, refusals } = compareRegistries(history.newest.network, given)
  if (refusals.length > 0) throw otherRegistry(given, refusals)
  if (additions.length === 0) return { history, records, additions }
  const added: RegistryVersion = { fromLedger: Math.max(control.lastLedger + 1, firstLedger), network: given }
  history.add(added)
  return { history, records: [...records, recordOf(added)], additions }
}

/** @throws OrreryError `invalid`/`registry_too_large`: a record of the control topic is one message of a broker. */
function recordOf({ fromLedger, network }: RegistryVersion): RegistryControl {
  const document = registryText(network)
  const bytes = Buffer.byteLength(document)
  if (bytes <= LARGEST_DOCUMENT) return { kind: 'registry', ledger: fromLedger, document }
  throw new OrreryError(
    'invalid',
    'registry_too_large',
    `The registry of ${network.name} has ${bytes} bytes as JSON, and the event log records at most ${LARGEST_DOCUMENT}. Nothing was changed. Leave out asset hints: Orrery reads name and decimals from the token contract.`,
  )
}

/**
 * The registry that a log of an older build, which recorded none, began with: the given one without the oracles and price pools that the log does
 * not track. Asset hints and pegs leave no trace in the log, and apply from the first ledger.
 */
function asTracked(given: Network, { tracked }: ControlHistory): Network {
  const followed = new Set(tracked.map(({ contract }) => contract.contract))
  const isFollowed = ({ contract }: { readonly contract: string }): boolean => followed.has(contract)
  const [oracles, pricePools] = [given.oracles.filter(isFollowed), given.pricePools.filter(isFollowed)]
  if (oracles.length === given.oracles.length && pricePools.length === given.pricePools.length) return given
  return { ...given, oracles, pricePools }
}

function otherRegistry({ name }: Network, refusals: readonly string[]): OrreryError {
  return new OrreryError(
    'invalid',
    'log_other_registry',
    `The registry of ${name} is not the one that this log was written with, and does more than add oracles, price pools, pegs and asset hints:\n${refusals.map((line) => `  ${line}`).join('\n')}\nNothing was changed. Start with the registry as it was and only add to it, or index into a new log and a new database.`,
  )
}
