// Values that a parameter takes and refuses, by kind: from chapters 4 and 8 of the specification and the rules of addresses and times.

import { encodeStrkey } from '@orrery/ledger'
import { ALICE, PAIR, USDC, XLM } from './fixtures/network.ts'

/** What the specification says about the values of one parameter. Texts are as a client writes them, before encoding. */
export interface ParameterKind {
  /** Used in combinations with other parameters. */
  readonly good: string
  /** At the edges of what is taken. */
  readonly alsoGood?: readonly string[]
  readonly bad: readonly string[]
  /** Refused as announced for later. */
  readonly reserved?: readonly string[]
  /** Code of a bad value. Default: `invalid_parameter`. */
  readonly code?: string
}

export const INT64_MAX = '9223372036854775807'
/** No plain decimal digits within int64. */
const NO_INTEGERS = ['-1', '+1', '1.0', '1e3', '0x10', ' 1', '1 ', '9223372036854775808', '\u0661', 'ledger', 'NaN', '1,000']
const bad32 = new Uint8Array(32).fill(1)
/** Not `G...` and not `C...`, or with a wrong checksum. */
const NO_ADDRESSES = [
  'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
  `${ALICE.slice(0, -1)}${ALICE.endsWith('A') ? 'B' : 'A'}`,
  ALICE.toLowerCase(),
  ALICE.slice(0, -1),
  'alice',
  `${ALICE} `,
]
const otherContracts = (count: number): string =>
  Array.from({ length: count }, (_, n) => encodeStrkey('C', new Uint8Array(32).fill(n))).join(',')

export const ledger = (good: string): ParameterKind => ({ good, alsoGood: ['0', INT64_MAX], bad: NO_INTEGERS })
export const ledgerBucket: ParameterKind = { good: '50', alsoGood: [INT64_MAX], bad: ['0', ...NO_INTEGERS] }
/** 1 to 100. */
export const pageLimit: ParameterKind = { good: '5', alsoGood: ['1', '100'], bad: ['0', '101', ...NO_INTEGERS] }
/** RFC 3339 with a time zone. */
export const instant = (good: string): ParameterKind => ({
  good,
  alsoGood: [`${good.slice(0, -1)}.5Z`, `${good.slice(0, -1)}+00:00`],
  bad: [
    good.slice(0, 10),
    good.slice(0, -1),
    '1788264000',
    'yesterday',
    '2026-02-30T00:00:00Z',
    '2026-09-01T25:00:00Z',
    '2026-13-01T00:00:00Z',
  ],
})
export const oneOf = (values: readonly string[], also: readonly string[] = []): ParameterKind => ({
  good: values[0] ?? '',
  alsoGood: values.slice(1),
  bad: [...values.map((value) => value.toUpperCase()).filter((value) => !values.includes(value)), 'unheard_of', `${values[0]} `, ...also],
})
/** One value or several separated by commas. */
export const listOf = (values: readonly string[]): ParameterKind => ({
  good: values[0] ?? '',
  alsoGood: [values.join(',')],
  bad: ['unheard_of', `${values[0]},unheard_of`, `${values[0]},`, `,${values[0]}`, `${values[0]}, ${values[1]}`],
})
export const interval = oneOf(['1h', '5m', '15m', '4h', '1d', '1w'], ['2h', '1M', '60'])
export const range = oneOf(['24h', '7d', '30d'], ['1y', '1d'])
export const fill = oneOf(['null', 'none', 'zero'], ['linear'])
export const contract = (good: string): ParameterKind => ({ good, bad: [...NO_ADDRESSES, ALICE, encodeStrkey('G', bad32)] })
export const account: ParameterKind = { good: ALICE, alsoGood: [PAIR], bad: NO_ADDRESSES }
/** 1 to 100 different accounts. */
export const accounts: ParameterKind = {
  good: ALICE,
  alsoGood: [`${ALICE},${PAIR}`],
  bad: [...NO_ADDRESSES, `${ALICE},${ALICE}`, `${ALICE},`, `${ALICE}, ${PAIR}`, otherContracts(101)],
}
/** 1 to 100 different assets. */
export const assets: ParameterKind = {
  good: XLM,
  bad: [...NO_ADDRESSES, ALICE, 'XLM', `${XLM},${XLM}`, `${XLM},`, otherContracts(101)],
}
export const hash: ParameterKind = {
  good: 'a'.repeat(64),
  bad: ['A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `0x${'a'.repeat(62)}`, 'g'.repeat(64)],
}
/** At most 8 fractional digits, no sign, no exponent. */
export const usd: ParameterKind = {
  good: '10',
  alsoGood: ['0', '0.12345678'],
  bad: ['-1', '+1', '1e3', '.5', '1.', '1.123456789', '1,000', ' 1', 'NaN', 'Infinity'],
}
/** Prices above 0 of 1 to 50 different reserves of the pool, which are USDC and XLM. */
export const givenPrices: ParameterKind = {
  good: `${XLM}:0.5`,
  alsoGood: [`${XLM}:0.5,${USDC}:1.01`, `${XLM}:0.000000000000000001`, `${USDC}:999999999999.999999999999999999`, `${XLM}:00.50`],
  bad: [
    ...[XLM, `${XLM}:`, ':0.5', `${XLM}=0.5`, `${XLM}:0.5,`, `${XLM}:0.5, ${USDC}:1`, `${XLM}:0.5;${USDC}:1`, 'XLM:0.5', `${ALICE}:0.5`],
    ...['0', '0.000', '-1', '+1', '1e3', '.5', '1.', '1,5', ' 1', 'NaN', '1000000000000', '1.0000000000000000001'].map(
      (usd) => `${XLM}:${usd}`,
    ),
    ...[`${XLM}:0.5,${XLM}:0.5`, `${XLM}:0.5,${USDC}:0`],
    // No reserve of the pool, and a wrong checksum.
    ...[`${PAIR}:0.5`, `${XLM}:0.5,${PAIR}:1`, `${XLM.slice(0, -1)}${XLM.endsWith('A') ? 'B' : 'A'}:0.5`],
    otherContracts(51).replaceAll(',', ':1,').concat(':1'),
  ],
}
/** Every value is refused until later. */
export const reservedFor = (good: string): ParameterKind => ({ good, bad: [], reserved: [good, 'anything', '0'] })
/** A cursor that this server did not make. */
export const cursor: ParameterKind = { good: '', bad: ['abc', 'A'.repeat(4_000), '====', 'AQ'], code: 'invalid_cursor' }
