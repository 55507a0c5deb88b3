// The recording's answers by ledger and kind, with the registry as JSON: what expected values are made from. Nothing here comes from Orrery.

import { readFileSync } from 'node:fs'
import type { ExpectedAnswer } from '@orrery/testkit'
import { groundTruthRecording } from '@orrery/testkit/ground-truth'

export type Words = Readonly<Record<string, string>>

/** What expected values need of the registry's JSON. */
export interface Registry {
  readonly first_ledger: number
  readonly oracles: readonly RegistryOracle[]
  readonly price_pools: readonly { readonly contract: string }[]
  readonly usd_pegs: readonly { readonly asset: string }[]
  readonly assets: Readonly<Record<string, { readonly code: string; readonly decimals: number }>>
  readonly protocols: {
    readonly blend: { readonly deployments: readonly Words[] }
    readonly aquarius: { readonly deployments: readonly Words[] }
    readonly soroswap: { readonly deployments: readonly Words[] }
  }
}

export interface RegistryOracle {
  readonly contract: string
  readonly kind: string
  readonly base: { readonly kind: string; readonly asset?: string; readonly symbol?: string }
  readonly decimals: number
}

export function readRegistry(): Registry {
  return JSON.parse(readFileSync(groundTruthRecording().registryFile, 'utf8')) as Registry
}

/** Everything that the contracts answered as of the end of one ledger. */
export class Checkpoint {
  readonly ledger: number
  readonly closeTime: number
  readonly #byKind = new Map<string, ExpectedAnswer[]>()

  constructor(ledger: number, closeTime: number) {
    this.ledger = ledger
    this.closeTime = closeTime
  }

  add(answer: ExpectedAnswer): void {
    const lines = this.#byKind.get(answer.kind) ?? []
    lines.push(answer)
    this.#byKind.set(answer.kind, lines)
  }

  of(kind: string): readonly ExpectedAnswer[] {
    return this.#byKind.get(kind) ?? []
  }

  /** The one answer of a kind that is asked once. */
  only(kind: string): ExpectedAnswer {
    const [answer] = this.of(kind)
    if (answer === undefined) throw new Error(`${kind} was not asked at ${this.ledger}`)
    return answer
  }

  /** Whether anything of the kind was asked here. */
  has(kind: string): boolean {
    return this.#byKind.has(kind)
  }
}

/** Checkpoints of answers whose kind begins with one of `prefixes`, ascending. */
export async function readCheckpoints(...prefixes: string[]): Promise<Checkpoint[]> {
  const byLedger = new Map<number, Checkpoint>()
  for await (const answer of groundTruthRecording().expected()) {
    if (!prefixes.some((prefix) => answer.kind.startsWith(prefix))) continue
    const checkpoint = byLedger.get(answer.ledger) ?? new Checkpoint(answer.ledger, answer.close_time)
    byLedger.set(answer.ledger, checkpoint)
    checkpoint.add(answer)
  }
  return [...byLedger.values()].sort((a, b) => a.ledger - b.ledger)
}
