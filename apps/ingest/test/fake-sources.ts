// Upstreams of a test file over real HTTP, stopped after each test, and the ledgers that a source reads from them.

import { readLedgerHeader } from '@orrery/ledger'
import {
  type FakeLake,
  type FakeLakeOptions,
  type FakeRpc,
  type FakeRpcOptions,
  recording,
  startFakeLake,
  startFakeRpc,
} from '@orrery/testkit'
import { afterEach, expect } from 'vitest'
import type { LedgerSource } from '../src/ledger-source.ts'

const { lakeDir } = recording()

/** Call it at the top of a test file. Starts nodes that have the shipped recording up to ledger 1,000,300, unless the options differ. */
export function fakeNodes(): (options?: Partial<FakeRpcOptions>) => Promise<FakeRpc> {
  const ended = endedAfterEach<FakeRpc>()
  return async (options = {}) => ended(await startFakeRpc({ ledgers: lakeDir, latest: 1_000_300, ...options }))
}

/** Call it at the top of a test file. Starts lakes that have the shipped recording up to ledger 1,000,319, unless the options differ. */
export function fakeLakes(): (options?: Partial<FakeLakeOptions>) => Promise<FakeLake> {
  const ended = endedAfterEach<FakeLake>()
  return async (options = {}) => ended(await startFakeLake({ ledgers: lakeDir, latest: 1_000_319, ...options }))
}

function endedAfterEach<Server extends AsyncDisposable>(): (server: Server) => Server {
  const started: Server[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server[Symbol.asyncDispose]()))
  })
  return (server) => {
    started.push(server)
    return server
  }
}

/** Sequences of the ledgers that a source reads from `from` on, up to `last` or to its end; each has its own header. */
export async function readSequences(
  source: LedgerSource,
  from: number,
  last?: number,
  onLedger: (ledger: number) => void = () => {},
): Promise<number[]> {
  const sequences: number[] = []
  for await (const { sequence, bytes } of source.read(from, new AbortController().signal)) {
    expect(readLedgerHeader(bytes).sequence).toBe(sequence)
    sequences.push(sequence)
    onLedger(sequence)
    if (sequence === last) break
  }
  return sequences
}

/** `from`, and every whole number after it up to `to`. */
export const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)
