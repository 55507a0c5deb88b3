// A node with the shipped recording, and readers for it.

import { openRpc } from '@orrery/stellar-rpc'
import { type FakeRpc, recording, startFakeRpc } from '@orrery/testkit'
import { type EntryReader, rpcEntryReader } from '../src/entry-reader.ts'

/** @param latest The newest ledger that it has. */
export function aNode(latest?: number): Promise<FakeRpc> {
  return startFakeRpc({ ledgers: recording().lakeDir, ...(latest === undefined ? {} : { latest }) })
}

export function entriesOf(node: FakeRpc): EntryReader {
  return rpcEntryReader(openRpc({ urls: [node.url] }))
}

/** The number of requests for entries. */
export function entryRequests(node: FakeRpc): number {
  return node.requests.filter(({ method }) => method === 'getLedgerEntries').length
}
