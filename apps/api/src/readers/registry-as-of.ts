// Answers are made with the registry as of their ledger, as the rows were: an oracle that was added later prices nothing before.

import { OrreryError } from '@orrery/errors'
import type { Network, Protocol } from '@orrery/protocol-kit'
import type { ControlFact } from '@orrery/read-model'
import { recordedNetwork } from '@orrery/registry'
import type { RouteContext } from '../route.ts'
import { indexFacts } from '../routes/index-facts.ts'
import { openViews, type Views } from '../views.ts'

interface Bound {
  readonly network: Network
  readonly views: Views
}

type Bindings = Map<string, Bound | OrreryError>

/** By the protocols and the registry's text: the same object for each version, and views that are made once; or why this build cannot read it. */
const bindings = new WeakMap<readonly Protocol<unknown>[], Bindings>()

/** @throws OrreryError `unavailable`/`registry_newer_than_build`, the same object each time: it is logged once. */
function bind({ value: document, ledger }: ControlFact, { shipped }: RouteContext): Bound {
  const bound: Bindings = bindings.get(shipped) ?? new Map()
  bindings.set(shipped, bound)
  let known = bound.get(document)
  if (known === undefined) {
    known = read(document, ledger, shipped)
    bound.set(document, known)
  }
  if (known instanceof OrreryError) throw known
  return known
}

function read(document: string, ledger: number, protocols: readonly Protocol<unknown>[]): Bound | OrreryError {
  try {
    const network = recordedNetwork(protocols, document, ledger)
    return { network, views: openViews(network, protocols) }
  } catch (error) {
    if (!(error instanceof OrreryError) || error.code !== 'registry_newer_than_build') throw error
    // Not an error of the client, and temporary: the operator updates the API.
    return new OrreryError('unavailable', 'registry_newer_than_build', error.message, { context: error.context, cause: error.cause })
  }
}

/**
 * The context with the registry and the views of an answer's ledger. Of an index that recorded no registry it is the process's own.
 * @throws OrreryError `unavailable`/`registry_newer_than_build`
 */
export async function contextAt(context: RouteContext, ledger: number): Promise<RouteContext> {
  const { facts } = await indexFacts(context)
  const registries = facts.filter(({ kind }) => kind === 'registry')
  // As `RegistryHistory` has it: the first one also counts for ledgers before its own.
  const inForce = registries.findLast((fact) => fact.ledger <= ledger) ?? registries[0]
  return inForce === undefined ? context : { ...context, ...bind(inForce, context) }
}

/** `make` for the ledger of each question. */
export function readerAt<Reader>(context: RouteContext, make: (context: RouteContext) => Reader): (ledger: number) => Promise<Reader> {
  return async (ledger) => make(await contextAt(context, ledger))
}
