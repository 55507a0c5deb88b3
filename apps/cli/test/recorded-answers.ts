// The recorded contracts' answers against an index of a part of the recording. It may know less; it may show no wrong value.

import { type ExpectedAnswer, recording } from '@orrery/testkit'
import type { IndexedNetwork } from './indexed-network.ts'

/** Names of answers: `ledger pair` of reserves, `ledger pair holder` of open positions. */
export interface Comparison {
  /** Shown as the contract gave them. */
  readonly right: readonly string[]
  /** Not shown. */
  readonly absent: readonly string[]
  /** Shown with another value than the contract's. */
  readonly wrong: readonly unknown[]
}

/** Soroswap's answers with ledgers in `[first, last]`, in the order of the recording. */
export async function soroswapAnswers(first: number, last: number): Promise<ExpectedAnswer[]> {
  const answers: ExpectedAnswer[] = []
  for await (const answer of recording().expected()) {
    if (answer.ledger > last) break
    if (answer.ledger >= first && answer.kind.startsWith('soroswap.')) answers.push(answer)
  }
  return answers
}

export async function compare(network: IndexedNetwork, answers: readonly ExpectedAnswer[]): Promise<Comparison> {
  const right: string[] = []
  const absent: string[] = []
  const wrong: unknown[] = []
  for (const [ledger, ofLedger] of Map.groupBy(answers, (answer) => answer.ledger)) {
    const { data } = await network.get(`/v1/protocols/soroswap/reserves?as_of_ledger=${ledger}`)
    const shown = new Map<string, string>()
    for (const reserve of data.reserves) shown.set(`${reserve.contract} ${reserve.asset_id}`, reserve.metadata.raw_amount)
    for (const pair of ofLedger.filter(({ kind }) => kind === 'soroswap.pair')) {
      const ours = [pair.token_0, pair.token_1].map((token) => shown.get(`${pair.contract} ${token}`))
      if (ours.every((amount) => amount === undefined)) absent.push(nameOf(pair))
      else if (ours[0] === pair.reserve_0 && ours[1] === pair.reserve_1) right.push(nameOf(pair))
      else wrong.push({ pair, ours })
    }
    const shares = Map.groupBy(
      ofLedger.filter(({ kind }) => kind === 'soroswap.shares'),
      (line) => String(line.address),
    )
    for (const [address, lines] of shares) await comparePositions(address, lines)

    async function comparePositions(account: string, lines: readonly ExpectedAnswer[]): Promise<void> {
      const positions = (await network.get(`/v1/users/${account}/positions/soroswap?as_of_ledger=${ledger}`)).data.pairs as Pair[]
      for (const line of lines) {
        const position = positions.find((it) => it.pair_address === line.contract)
        if (position === undefined) {
          if (line.shares !== '0') absent.push(nameOf(line))
          continue
        }
        const paid = position.tokens.map((token) => raw(token.units))
        const asked = /^\d+$/.test(String(line.remove_amount_0))
        const isRight =
          position.metadata.raw_amount === line.shares && (!asked || (paid[0] === line.remove_amount_0 && paid[1] === line.remove_amount_1))
        if (isRight) right.push(nameOf(line))
        else wrong.push({ line, shares: position.metadata.raw_amount, paid })
      }
    }
  }
  return { right, absent, wrong }
}

/** Answers about existing things: every pair, and every open position. */
export function openOnes(answers: readonly ExpectedAnswer[]): ExpectedAnswer[] {
  return answers.filter(({ kind, shares }) => kind === 'soroswap.pair' || (kind === 'soroswap.shares' && shares !== '0'))
}

export function nameOf({ ledger, contract, address }: ExpectedAnswer): string {
  return [ledger, contract, address].filter((part) => part !== undefined).join(' ')
}

interface Pair {
  readonly pair_address: string
  readonly metadata: { readonly raw_amount: string }
  readonly tokens: readonly { readonly units: string }[]
}

/** Whole units of a token of 7 decimals to its smallest unit: every asset of the recording has 7. */
function raw(units: string): string {
  const [whole = '0', fraction = ''] = units.split('.')
  return BigInt(whole + fraction.padEnd(7, '0')).toString()
}
