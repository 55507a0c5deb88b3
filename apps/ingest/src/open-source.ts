// The source that options name: a lake, an RPC, or both.

import { OrreryError } from '@orrery/errors'
import type { Network } from '@orrery/protocol-kit'
import { openRpc, rpcAddresses } from '@orrery/stellar-rpc'
import { backfilledSource } from './backfilled-source.ts'
import { lakeHttp } from './lake-http.ts'
import { lakeSource } from './lake-source.ts'
import type { LedgerSource, SourceTrouble } from './ledger-source.ts'
import { rpcSource } from './rpc-source.ts'

export interface SourceOptions {
  readonly network: Pick<Network, 'name' | 'passphrase' | 'firstLedger'>
  /** A folder, or an http or https address. */
  readonly lake?: string | undefined
  /** Addresses, the preferred one first, separated by commas. */
  readonly rpc?: string | undefined
  /** Wait for new files of a lake in a folder. A lake behind http is always followed. */
  readonly follows?: boolean | undefined
  readonly fromLedger?: number | undefined
  /** Most requests to a lake behind http at the same time. */
  readonly lakeRequests?: number | undefined
  readonly onTrouble: (trouble: SourceTrouble) => void
}

/** @throws OrreryError `invalid`/`source_missing`, `rpc_address_invalid`. */
export function openSource(options: SourceOptions): LedgerSource {
  const { network, lake, rpc, onTrouble } = options
  const node =
    rpc === undefined ? null : rpcSource(openRpc({ urls: rpcAddresses(rpc), passphrase: network.passphrase, onRetry: onTrouble }))
  if (lake === undefined) {
    if (node) return node
    const message = `There is no source for the ledgers of ${network.name}. Nothing was started.\nName a SEP-54 lake with \`--lake\`, a Stellar RPC with \`--rpc\`, or both.`
    throw new OrreryError('invalid', 'source_missing', message)
  }
  const past = openLake(lake, options, node === null)
  return node ? backfilledSource(past, node) : past
}

function openLake(lake: string, { network, fromLedger, follows, lakeRequests, onTrouble }: SourceOptions, isAlone: boolean): LedgerSource {
  if (!/^https?:\/\//i.test(lake)) return lakeSource(lake, { follows: isAlone && follows === true })
  const files = lakeHttp(lake, { near: fromLedger ?? network.firstLedger, requests: lakeRequests, onRetry: onTrouble })
  return lakeSource(files, { follows: isAlone })
}
