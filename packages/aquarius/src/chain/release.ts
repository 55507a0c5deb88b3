// Which release a pool runs: its formulas changed over time, in place and pool by pool, and no entry has the version.
// Known builds are recognised by their code; of others the storage proves the earliest release that they can be.

import { choice, type Scalar, stored } from '@orrery/fold-kit'

/** Releases that changed what a reader must compute, as `version()` counts them: 184 is v1.8.4. */
export type Release = 150 | 160 | 170 | 180 | 184 | 200

export const storedRelease: Scalar<Release> = stored(choice('150', '160', '170', '180', '184', '200'), {
  toStored: (release: Release) => `${release}` as const,
  fromStored: (text) => Number(text) as Release,
})

/**
 * Builds by the first 16 hex characters of their hash. Sources: soroban-amm `contracts/` at the tags and `contracts_v170/`; builds seen
 * in instances of mainnet (ledgers 57,500,008 and 63,092,996); builds that mainnet's router deploys since v2.0 (its declared hashes,
 * April to September 2026), which for stable and concentrated pools are other than those of the repository.
 *
 * Builds of 2024, before v1.5 (their hashes begin with 2d770946, 7cecf23b, 4f080d24, 64ef0bc6, 29eb1047 and f5bdd7c4), are left out on
 * purpose: their formulas were never compared with v1.5's. A pool that runs one follows v1.5, with a notice, and what rests on it is inexact.
 */
const BUILDS: Readonly<Record<string, Release>> = {
  // constant product
  b54ba37b7bb7dd69: 150,
  a1629dcdf9192727: 160,
  '488b8f3de6d0bdc5': 170,
  '33cbb7a636f01ea5': 170,
  '42885361be3e8343': 180,
  '441367702d8df232': 184,
  '47352e355bbf930e': 200,
  ae0da5a84b15805c: 200,
  // stable
  '2e6f1daed872881a': 150,
  bb79374086c981f6: 160,
  '5d1b10fe29fae93f': 170,
  '868ba70d3100603f': 170,
  c04a38248aa1d42e: 180,
  ec2f6a4685c67607: 184,
  '2543c8ea4e21d703': 200,
  f1077e0b77da5e62: 200, // deployed on mainnet
  // concentrated: v2.0.0 and v2.0.2
  fc1ffa85eeadbaf7: 200,
  '78615290dd71f628': 200,
  '8875f0c770fb26d3': 200, // deployed on mainnet
  '12fca5a7a9657727': 200, // deployed on mainnet, after the one above
}

/** The code that an instance runs. */
interface RunningCode {
  readonly release: Release
  readonly isKnownBuild: boolean
}

/** Keys that an instance has since a release, the latest first. */
const PROOFS = [
  /** Written at every synchronisation. */
  ['ReservesSyncLedger', 184],
  /** Written when a holder opts out. */
  ['ExcludedShares', 180],
  ['RewardGaugesMap', 170],
  ['ProtocolFeeFraction', 160],
] as const

/** The release of a pool's code where it is on the list, else the earliest that it can be: concentrated pools came with v2.0. */
export function releaseOf(code: string, isConcentrated: boolean, has: (key: string) => boolean): RunningCode {
  const known = BUILDS[code.slice(0, 16)]
  if (known !== undefined) return { release: known, isKnownBuild: true }
  const proven = isConcentrated ? 200 : PROOFS.find(([key]) => has(key))?.[1]
  return { release: proven ?? 150, isKnownBuild: false }
}

/** `1.8.4`, `2.0`. */
export function releaseName(release: Release): string {
  const [major, minor, patch] = [...release.toString()]
  return patch === '0' ? `${major}.${minor}` : `${major}.${minor}.${patch}`
}

/**
 * Whether it is settled by what rules a pool goes: its build is known, or its storage proves that a rule which came later holds. Where it is
 * not, what follows the older rule is reported as inexact.
 */
export function isSettled(rule: (release: Release) => boolean, { release, isKnownBuild }: RunningCode): boolean {
  return isKnownBuild || rule(release)
}

/** What changed from release to release. */
export const since = {
  /** Fees are taken from the input, and the protocol keeps a part. */
  feesOnInput: (release: Release) => release >= 160,
  /** Rewards of the past are shared by the working balances of the past; before, by the new ones. Nothing accrues while there are none. */
  pastWorkingBalance: (release: Release) => release >= 170,
  /** Gauges share by working balance; before, by shares. */
  boostedGauges: (release: Release) => release >= 180,
  /** Reserves are raised to what the pool holds before anything else happens. */
  syncedReserves: (release: Release) => release >= 180,
  /** At most once in a ledger. */
  syncedOnce: (release: Release) => release >= 184,
} as const
