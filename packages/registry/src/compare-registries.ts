// The differences between two registries. An index accepts a registry that only adds price sources and asset hints; every other difference is
// refused with its path, the old value and the new value.

import type { Network } from '@orrery/protocol-kit'
import { registryDocument } from './registry-document.ts'

export interface RegistryDifferences {
  /** Permitted additions: `oracles[C…]`, in the order of the document. */
  readonly additions: readonly string[]
  /** Differences that an index cannot accept, one line each: the path, the old value, the new value, and the reason. */
  readonly refusals: readonly string[]
}

/** A list of the document, the member that identifies an entry, and whether entries may be added. */
interface ListOfDocument {
  readonly path: string
  readonly key: string
  readonly grows: boolean
}

const LISTS: readonly ListOfDocument[] = [
  { path: 'oracles', key: 'contract', grows: true },
  { path: 'price_pools', key: 'contract', grows: true },
  { path: 'usd_pegs', key: 'asset', grows: true },
  { path: 'known_pools', key: 'contract', grows: false },
]

function listsOf({ protocols }: Network): readonly ListOfDocument[] {
  const deployments = protocols.map(({ id, deployment }) => ({
    path: `protocols.${id}.deployments`,
    key: deployment.identity,
    grows: false,
  }))
  return [...deployments, ...LISTS]
}

const NEVER_LOGGED =
  'was added, but the event log has no earlier records of its contracts, because they were not tracked; such records were never logged'

type Entry = Readonly<Record<string, unknown>>

/**
 * The differences of `after` to `before`. An addition may be at any position of its list: the order of `oracles` and `price_pools` is their order
 * of precedence, and an addition applies from its ledger on. The other entries must keep their relative order.
 */
export function compareRegistries(before: Network, after: Network): RegistryDifferences {
  const [was, is] = [registryDocument(before), registryDocument(after)]
  const additions: string[] = []
  const refusals = (['network', 'passphrase', 'first_ledger'] as const).flatMap((path) => changed(path, was[path], is[path]))
  for (const { path, key, grows } of listsOf(after)) {
    const [old, now] = [entriesAt(was, path), entriesAt(is, path)]
    const place = (entry: Entry): string => `${path}[${String(entry[key])}]`
    const matching = (entries: readonly Entry[], entry: Entry): Entry | undefined =>
      entries.find((other) => other[key] === entry[key] && other.protocol === entry.protocol)
    for (const entry of old) refusals.push(...differences(place(entry), entry, matching(now, entry)))
    const added = now.filter((entry) => matching(old, entry) === undefined)
    if (grows) additions.push(...added.map(place))
    else refusals.push(...added.map((entry) => `${place(entry)}: ${NEVER_LOGGED}`))
    const kept = old.filter((entry) => matching(now, entry) !== undefined).map((entry) => String(entry[key]))
    const order = now.filter((entry) => matching(old, entry) !== undefined).map((entry) => String(entry[key]))
    const n = kept.findIndex((name, at) => name !== order[at])
    if (n >= 0) refusals.push(`${path}: the order changed, first at ${kept[n]}, where ${order[n]} is now`)
  }
  for (const [asset, hint] of Object.entries(was.assets)) refusals.push(...differences(`assets.${asset}`, hint, is.assets[asset]))
  additions.push(...Object.keys(is.assets).flatMap((asset) => (was.assets[asset] === undefined ? [`assets.${asset}`] : [])))
  return { additions, refusals }
}

/** One line for each member that differs, or one for an entry that was removed. */
function differences(place: string, was: Entry, is: Entry | undefined): string[] {
  if (is === undefined) return [`${place}: removed (was ${text(was)})`]
  const members = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return members.flatMap((member) => changed(`${place}.${member}`, was[member], is[member]))
}

function changed(place: string, was: unknown, is: unknown): string[] {
  return text(was) === text(is) ? [] : [`${place}: was ${text(was)}, and is ${text(is)}`]
}

/** Members sorted by name, because two files may write the same entry in different orders. */
function text(value: unknown): string {
  if (value === undefined) return 'not given'
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function entriesAt(document: object, path: string): readonly Entry[] {
  return (
    (path.split('.').reduce<unknown>((at, member) => (at as Record<string, unknown> | undefined)?.[member], document) as
      | readonly Entry[]
      | undefined) ?? []
  )
}
