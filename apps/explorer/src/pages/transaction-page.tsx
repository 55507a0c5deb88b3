// A transaction: its sentences, the assets that moved as a picture, and the events as the contracts name them.

import type { GetTransactionResponse } from '@orrery/client'
import { Fragment } from 'preact'
import { apiCall } from '../api/api-call.ts'
import { contractNames, type NameOf } from '../api/contract-names.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ActivitiesTable } from '../components/activities-table.tsx'
import { Block } from '../components/block.tsx'
import { Figures } from '../components/figures.tsx'
import { FlowPicture } from '../components/flow-picture.tsx'
import { AddressLink, LedgerLink } from '../components/links.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { flowsOf } from '../flows/flows.ts'
import { isOfReceived } from '../format/action-value.ts'
import { labelOf, shortened } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { protocolName } from '../format/protocol-name.ts'
import { accountPath, protocolPath } from '../paths.ts'

type Transaction = GetTransactionResponse['data']

/** Accounts whose sentences are shown: a liquidation has two, and no screen needs those of a hundred. */
const MOST_ACCOUNTS = 6

export function TransactionPage({ hash }: { readonly hash: string }) {
  const call = apiCall('service', 'transaction', hash)
  const { answer } = useAnswer(call)
  const nameOf: NameOf = answer === undefined ? () => undefined : contractNames(answer.enrichment)
  const accounts = [...new Set(answer?.data.activities.map(({ address }) => address))].filter((address) => address !== '')
  return (
    <Page title={shortened(hash)} kind="Transaction" id={hash}>
      <Block title="Summary" call={call} lines={5} fills="any">
        {({ data }) => <Summary transaction={data} nameOf={nameOf} />}
      </Block>
      {accounts.slice(0, MOST_ACCOUNTS).map((address) => (
        <SentencesBlock key={address} hash={hash} address={address} name={nameOf(address)} />
      ))}
      <Block
        title="Flow of assets"
        call={call}
        lines={5}
        empty={({ data }) => (flowsOf(data.activities).length === 0 ? 'No asset moved in a protocol of this index.' : null)}
      >
        {({ data }) => <FlowPicture flows={flowsOf(data.activities)} nameOf={nameOf} />}
      </Block>
      <Block
        title="Movements and events"
        call={call}
        lines={6}
        empty={({ data }) => (data.activities.length === 0 ? 'The transaction did nothing in a protocol of this index.' : null)}
      >
        {({ data }) => <ActivitiesTable label="Movements and events" activities={data.activities} isOneTransaction nameOf={nameOf} />}
      </Block>
    </Page>
  )
}

function Summary({ transaction, nameOf }: { readonly transaction: Transaction; readonly nameOf: NameOf }) {
  const { summary, ledger, timestamp, source_account, fee_account, fee_charged, memo, memo_type, protocols } = transaction
  return (
    <>
      <p class="sentence">{summary}</p>
      <Figures
        figures={[
          { name: 'Ledger', value: <LedgerLink ledger={ledger} />, note: <Moment at={timestamp} /> },
          {
            name: 'Source account',
            value: source_account === null ? NO_VALUE : <AddressLink address={source_account} name={nameOf(source_account)} />,
          },
          {
            name: 'Fee',
            value: fee_charged === null ? NO_VALUE : `${numbers.amount(fee_charged)} XLM`,
            note:
              fee_account !== null && fee_account !== source_account ? (
                <>
                  paid by <AddressLink address={fee_account} name={nameOf(fee_account)} />
                </>
              ) : undefined,
          },
          { name: 'Memo', value: memo ?? NO_VALUE, note: memo_type === null || memo_type === 'none' ? undefined : memo_type },
          {
            name: 'Protocols',
            value: protocols.map((id, n) => (
              <Fragment key={id}>
                {n > 0 && ', '}
                <a href={protocolPath(id)}>{protocolName(id)}</a>
              </Fragment>
            )),
          },
        ]}
      />
    </>
  )
}

interface SentencesBlockProps {
  readonly hash: string
  readonly address: string
  /** Of a contract; undefined if it has none, and for an account. */
  readonly name: string | undefined
}

/** The actions of one account in the transaction, in their order, each with its sentence. */
function SentencesBlock({ hash, address, name }: SentencesBlockProps) {
  return (
    <Block
      title={`Actions of ${name ?? shortened(address)}`}
      call={apiCall('accounts', 'actions', address, { tx_hash: hash, order: 'asc' })}
      lines={2}
      isUneven
      empty={({ data }) => (data.actions.length === 0 ? 'No action of this account in the transaction.' : null)}
    >
      {({ data }) => (
        <>
          <ol class="sentences">
            {data.actions.map((action) => (
              <li key={action.id}>
                {action.summary}
                <span class="note">
                  {numbers.usd(action.usd_value)}
                  {isOfReceived(action) && ' received'}
                  {action.role !== null && ` · as ${labelOf(action.role).toLowerCase()}`}
                </span>
              </li>
            ))}
          </ol>
          <p>
            {/* Also of a contract: its actions are on the page of a holder, not on that of a pool. */}
            <a href={accountPath(address)}>{address.startsWith('C') ? 'All actions of this contract' : 'All actions of this account'}</a>
            {data.actions[0] !== undefined && (
              <>
                {' · '}
                <a href={accountPath(address, data.actions[0].ledger)}>Its positions after this ledger</a>
              </>
            )}
          </p>
        </>
      )}
    </Block>
  )
}
