// Links to accounts, contracts, transactions, ledgers and assets. The whole identifier is in the title, the short one on the screen.

import type { ComponentChildren } from 'preact'
import { priceSourceOf, shortened } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { accountPath, assetPath, contractPath, ledgerPath, poolPath, transactionPath } from '../paths.ts'

export function AddressLink({ address, name }: { readonly address: string; readonly name?: string | undefined }) {
  if (address === '') return <>{NO_VALUE}</>
  const path = address.startsWith('G') ? accountPath(address) : contractPath(address)
  return (
    <a class={name ? undefined : 'mono'} href={path} title={address}>
      {name || shortened(address)}
    </a>
  )
}

/** @param name Of the pool; its id stands for it while it is unknown. */
export function PoolLink({ poolId, name }: { readonly poolId: string; readonly name: string }) {
  return (
    <a href={poolPath(poolId)} title={poolId}>
      {name || shortened(poolId)}
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

/** The kind of source and its contract. A pool that gives prices need not be one of the index. */
export function PriceSourceLink({ source }: { readonly source: string | null }) {
  const parts = priceSourceOf(source)
  if (parts === null) return <span class="note">no price</span>
  const { kind, contract } = parts
  return (
    <span class="note">
      {kind}{' '}
      {kind === 'pool' ? (
        <a class="mono" href={contractPath(contract)} title={contract}>
          {shortened(contract)}
        </a>
      ) : (
        <ContractId address={contract} />
      )}
    </span>
  )
}
