import type { Activity } from '@orrery/client'
import { describe, expect, it } from 'vitest'
import { flowsOf, partiesOf } from './flows.ts'

interface Row {
  readonly type: string
  readonly direction: 'sent' | 'received' | 'none'
  readonly address: string
  readonly counterparty?: string
  readonly contract: string
  readonly amount: string
  readonly asset: string
  readonly metadata?: object
}

const activity = ({ type, direction, address, counterparty = '', contract, amount, asset, metadata = {} }: Row): Activity =>
  ({
    ...{ activity_type: type, direction, address, counterparty, contract, amount, asset_id: asset, asset_symbol: asset },
    metadata: { action_id: '1', event: 'its event', ...metadata },
  }) as Activity

const arrows = (rows: readonly Row[]): string[] =>
  flowsOf(rows.map(activity)).map(
    ({ from, to, amount, received, symbol }) => `${from} > ${to}: ${amount}${received === null ? '' : ` (${received})`} ${symbol}`,
  )

describe('flows of a transaction', () => {
  it('a deposit goes from the account to the pool, a withdrawal back', () => {
    expect(
      arrows([
        { type: 'deposit', direction: 'sent', address: 'GA', counterparty: 'CPOOL', contract: 'CPOOL', amount: '5', asset: 'USDC' },
        { type: 'withdraw', direction: 'received', address: 'GA', contract: 'CPOOL', amount: '2', asset: 'XLM' },
      ]),
    ).toEqual(['GA > CPOOL: 5 USDC', 'CPOOL > GA: 2 XLM'])
  })

  it('a path goes from the account through its pools and back, whichever contract passed the assets on', () => {
    const path = { pools: ['C1', 'C2', 'C3'], path: ['USDC', 'USDX', 'USDC', 'XLM'] }
    const row = { type: 'swap', address: 'GA', counterparty: 'CCHAIN' } as const
    expect(
      arrows([
        { ...row, direction: 'sent', contract: 'C1', amount: '14.8', asset: 'USDC', metadata: path },
        { ...row, direction: 'none', contract: 'C1', amount: '14.7', asset: 'USDX', metadata: { ...path, path_step: 1 } },
        { ...row, direction: 'none', contract: 'C2', amount: '14.7', asset: 'USDX', metadata: { ...path, path_step: 2 } },
        { ...row, direction: 'none', contract: 'C2', amount: '14.6', asset: 'USDC', metadata: { ...path, path_step: 2 } },
        { ...row, direction: 'none', contract: 'C3', amount: '14.6', asset: 'USDC', metadata: { ...path, path_step: 3 } },
        { ...row, direction: 'received', contract: 'C3', amount: '58.1', asset: 'XLM', metadata: path },
      ]),
    ).toEqual(['GA > C1: 14.8 USDC', 'C1 > C2: 14.7 USDX', 'C2 > C3: 14.6 USDC', 'C3 > GA: 58.1 XLM'])
  })

  it('a movement between two accounts is one, with both amounts where a fee lies between them', () => {
    const row = { type: 'liquidation', contract: 'CV', asset: 'XLM' } as const
    expect(
      arrows([
        { ...row, direction: 'received', address: 'GL', counterparty: 'GD', amount: '13790' },
        { ...row, direction: 'sent', address: 'GD', counterparty: 'GL', amount: '13859' },
        { ...row, direction: 'sent', address: 'GD', counterparty: 'GL', amount: '7', asset: 'USDC' },
        { ...row, direction: 'received', address: 'GL', counterparty: 'GD', amount: '7', asset: 'USDC' },
      ]),
    ).toEqual(['GD > GL: 13859 (13790) XLM', 'GD > GL: 7 USDC'])
  })

  it('equal movements of different actions stay apart', () => {
    const row = { type: 'transfer', contract: 'CP', asset: 'LP', amount: '1' } as const
    expect(
      arrows([
        { ...row, direction: 'sent', address: 'GA', counterparty: 'GB' },
        { ...row, direction: 'received', address: 'GB', counterparty: 'GA', metadata: { action_id: '2' } },
      ]),
    ).toHaveLength(2)
  })

  it('another payer or receiver stands at the end of the arrow', () => {
    const row = { direction: 'none', address: 'GA', contract: 'CP', asset: 'XLM', amount: '3' } as const
    expect(
      arrows([
        { ...row, type: 'deposit', metadata: { payer: 'GP' } },
        { ...row, type: 'borrow', metadata: { receiver: 'GR' } },
      ]),
    ).toEqual(['GP > CP: 3 XLM', 'CP > GR: 3 XLM'])
  })

  it('debts, settings, and rewards that are deposited at once are no movements', () => {
    const row = { direction: 'none', address: 'GA', counterparty: 'GB', contract: 'CP', asset: 'XLM', amount: '3' } as const
    expect(
      arrows([
        { ...row, type: 'liquidation', metadata: { debt_change: '-3' } },
        { ...row, type: 'admin', asset: '', amount: '0' },
        { ...row, type: 'stake', metadata: { reason: 'auto_compound' } },
      ]),
    ).toEqual([])
  })

  it('the parties are in the order of their first part, each once', () => {
    const flows = flowsOf([
      activity({ type: 'deposit', direction: 'sent', address: 'GA', contract: 'CP', amount: '1', asset: 'XLM' }),
      activity({ type: 'withdraw', direction: 'received', address: 'GB', contract: 'CP', amount: '1', asset: 'XLM' }),
    ])
    expect(partiesOf(flows)).toEqual(['GA', 'CP', 'GB'])
  })
})
