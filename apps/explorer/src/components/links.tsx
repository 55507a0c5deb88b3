// Links to accounts, contracts, transactions, ledgers and assets. The whole identifier is in the title, the short one on the screen.

import type { ComponentChildren } from 'preact'
import type { NameOf } from '../api/contract-names.ts'
import { priceSourceOf, shortened } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { accountPath, assetPath, contractPath, ledgerPath, poolPath, transactionPath } from '../paths.ts'
import { Breakable } from './breakable.tsx'

export function AddressLink({ address, name }: { readonly address: string; readonly name?: string | undefined }) {
  if (address === '') return <>{NO_VALUE}</>
  const path = address.startsWith('G') ? accountPath(address) : contractPath(address)
  return (
    <a class={name ? undefined : 'mono'} href={path} title={address}>
      <Breakable text={name || shortened(address)} />
    </a>
  )
}

/** @param name Of the pool; its id stands for it while it is unknown. */
export function PoolLink({ poolId, name }: { readonly poolId: string; readonly name: string }) {
  return (
    <a href={poolPath(poolId)} title={poolId}>
      <Breakable text={name || shortened(poolId)} />
    </a>
  )
}

export function AssetLink({ assetId, symbol }: { readonly assetId: string; readonly symbol: string | undefined }) {
  if (assetId === '') return <>{NO_VALUE}</>
  return (
    <a class={symbol ? undefined : 'mono'} href={assetPath(assetId)} title={assetId}>
      {symbol || shortened(assetId)}
    </a>
  )
}

export function TransactionLink({ hash, children }: { readonly hash: string; readonly children?: ComponentChildren }) {
  return (
    <a class={children === undefined ? 'mono' : undefined} href={transactionPath(hash)} title={hash}>
      {children ?? shortened(hash)}
    </a>
  )
}

export function LedgerLink({ ledger }: { readonly ledger: number | null | undefined }) {
  if (ledger === null || ledger === undefined || ledger === 0) return <>{NO_VALUE}</>
  return <a href={ledgerPath(ledger)}>{numbers.whole(ledger)}</a>
}

/** A contract that is neither a pool, an asset nor a holder, such as an oracle: it has no page. */
export function ContractId({ address }: { readonly address: string }) {
  return (
    <span class="mono" title={address}>
      {shortened(address)}
    </span>
  )
}

interface PriceSourceLinkProps {
  readonly source: string | null
  readonly nameOf?: NameOf | undefined
  /** Contract of the pool that the page is about. */
  readonly here?: string | undefined
}

/** The kind of source and its contract; the name of a pool stands alone. A pool that gives prices need not be one of the index. */
export function PriceSourceLink({ source, nameOf, here }: PriceSourceLinkProps) {
  const parts = priceSourceOf(source)
  if (parts === null) return <span class="note">no price</span>
  const { kind, contract } = parts
  if (contract === here) return <span class="note">this pool</span>
  const name = kind === 'pool' ? nameOf?.(contract) : undefined
  return (
    <span class="note">
      {!name && `${kind} `}
      {kind === 'pool' ? <AddressLink address={contract} name={name} /> : <ContractId address={contract} />}
    </span>
  )
}
