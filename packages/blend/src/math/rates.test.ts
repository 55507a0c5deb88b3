import { describe, expect, it } from 'vitest'
import { compound, rateText } from './rates.ts'

describe('a compounded rate', () => {
  // blend-sdk-js 3.2.2 on real reserves: borrow (1 + apr / 365)^365 − 1, supply (1 + apr / 52)^52 − 1.
  it.each([
    [1_133_238n, 365, 0.11997482958657657],
    [1_113_398n, 365, 0.11775568460463615],
    [10_932n, 365, 0.0010937961220565118],
    [592_975n, 52, 0.06105502116894024],
    [81n, 52, 8.100032178326444e-6],
    [605_046n, 52, 0.062335118533021205],
  ] as const)('of %s (7 decimals), %s times a year', (apr, periods, expected) => {
    expect(rateText(compound(apr, periods))).toBe(expected.toFixed(8).replace(/0+$/, ''))
  })

  it('a compounded rate of 0 is 0, and a huge one is capped', () => {
    expect(rateText(compound(0n, 52))).toBe('0')
    expect(rateText(compound(10n ** 20n, 365))).toBe('1000000')
  })
})
