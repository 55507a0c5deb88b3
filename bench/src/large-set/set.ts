// A large set: what identifies one, how large it is, and the addresses in it. The same seed and scale are the same set on every machine.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractBytes } from '@orrery/ledger'
import { partitionOf } from '@orrery/protocol-kit'
import { testAccount, testContract } from '@orrery/testkit'

export interface LargeSet {
  readonly seed: number
  /** 1: the numbers of `FULL`. */
  readonly scale: number
}

const FULL = { activities: 50_000_000, whaleActivities: 2_000_000, snapshots: 100_000_000, stateEntries: 1_000_000 }
const ACCOUNTS = 5_000
/** A transaction of the demo names up to 72 accounts between its copies: each needs an account of its own in one copy. */
const FEWEST_ACCOUNTS = 80
const WHALE_POSITIONS = 500
const FEWEST_WHALE_POSITIONS = 30
const POOLS = 10_000
/** Pairs of the demo: every generated pair is a copy of one of them. */
export const DEMO_PAIRS = 7

export interface Sizes {
  readonly activities: number
  readonly whaleActivities: number
  readonly snapshots: number
  readonly stateEntries: number
  readonly accounts: number
  /** Positions of the whale in generated pairs, beside those in the pools of the demo. */
  readonly whalePositions: number
  /** Groups of pools: each has a copy of every pair of the demo. */
  readonly poolGroups: number
}

export function sizesOf({ scale }: LargeSet): Sizes {
  const whalePositions = Math.max(FEWEST_WHALE_POSITIONS, Math.round(WHALE_POSITIONS * scale))
  return {
    activities: Math.round(FULL.activities * scale),
    whaleActivities: Math.round(FULL.whaleActivities * scale),
    snapshots: Math.round(FULL.snapshots * scale),
    stateEntries: Math.round(FULL.stateEntries * scale),
    accounts: Math.max(FEWEST_ACCOUNTS, Math.round(ACCOUNTS * scale)),
    whalePositions,
    // An account has at most one position in each group.
    poolGroups: Math.max(whalePositions, Math.ceil((POOLS * scale) / DEMO_PAIRS)),
  }
}

/** In the order of their addresses, so that rows of neighbours are neighbours in the tables. */
export function accountsOf(set: LargeSet): readonly string[] {
  return Array.from({ length: sizesOf(set).accounts }, (_, n) => testAccount(`large set ${set.seed}, account ${n}`)).sort()
}

/** The account with many activities and positions. */
export function whaleOf({ seed }: LargeSet): string {
  return testAccount(`large set ${seed}, whale`)
}

interface Pool {
  readonly id: string
  /** The partition that folds it. */
  readonly scope: number
}

/** Group after group, each in the order of the demo's pairs. */
export function poolsOf(set: LargeSet, partitions: number): readonly Pool[] {
  return Array.from({ length: sizesOf(set).poolGroups * DEMO_PAIRS }, (_, n) => {
    const id = testContract(`large set ${set.seed}, pool ${n}`)
    return { id, scope: partitionOf(contractBytes(id), partitions) }
  })
}

interface Marker extends LargeSet {
  readonly filled: boolean
}

const markerOf = (data: string): string => join(data, 'large-set.json')

export function writeMarker(data: string, marker: Marker): void {
  writeFileSync(markerOf(data), `${JSON.stringify(marker)}\n`)
}

export function readMarker(data: string): Marker | null {
  return existsSync(markerOf(data)) ? (JSON.parse(readFileSync(markerOf(data), 'utf8')) as Marker) : null
}

/** The set that a data folder has; null for a folder without one. */
export function largeSetOf(data: string): LargeSet | null {
  const marker = readMarker(data)
  if (marker !== null && !marker.filled) throw new Error(`The filling of ${data} did not end. Delete the folder and fill a new one.`)
  return marker
}
