// Addresses of the pages. Every link of the explorer is made here.

/** Where the API serves the explorer. */
export const BASE = '/explore'

/** Page of an account (`G…`), or of a contract (`C…`) that holds positions: now, or at the end of a ledger. */
export function accountPath(address: string, ledger?: number): string {
  return `${BASE}/accounts/${address}${ledger === undefined ? '' : `?ledger=${ledger}`}`
}

/** Page that finds out what a contract is, and opens the page of the pool, the asset or the holder. */
export function contractPath(address: string): string {
  return `${BASE}/contracts/${address}`
}

/** Page of a pool, by its id in `/v1/pools`. */
export function poolPath(poolId: string): string {
  return `${BASE}/pools/${encodeURIComponent(poolId)}`
}

export function protocolPath(protocolId: string): string {
  return `${BASE}/protocols/${encodeURIComponent(protocolId)}`
}

export function transactionPath(hash: string): string {
  return `${BASE}/transactions/${hash}`
}

export function assetPath(assetId: string): string {
  return `${BASE}/assets/${assetId}`
}

export function ledgerPath(sequence: number | string): string {
  return `${BASE}/ledgers/${sequence}`
}

/** Assets and pools whose names have the text. */
export function searchPath(text: string): string {
  return `${BASE}/search?q=${encodeURIComponent(text)}`
}

/** Positions by health factor, of a protocol or of one pool. */
export function riskPath(protocolId: string, poolId?: string): string {
  return `${RISK_PATH}?${new URLSearchParams({ protocol: protocolId, ...(poolId !== undefined && { pool: poolId }) })}`
}

export const RISK_PATH = `${BASE}/risk`

export const INDEX_PATH = `${BASE}/index`
