import { describe, expect, it } from 'vitest'
import { readPriceChanges, writePriceChanges } from './price-changes.ts'

const [XLM, USDC] = ['CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75']

describe('changes of prices in an address', () => {
  it('are read as they were written, without those of 0', () => {
    const text = writePriceChanges({ [XLM]: -20, [USDC]: 35 })
    expect(text).toBe(`${XLM}:-20,${USDC}:35`)
    expect(readPriceChanges(text)).toEqual({ [XLM]: -20, [USDC]: 35 })
    expect([writePriceChanges({ [XLM]: 0 }), readPriceChanges('')]).toEqual(['', {}])
  })

  it.each(['nonsense', `${XLM}:-91`, `${XLM}:201`, `${XLM}:1.5`, `${XLM}:`, `G${XLM.slice(1)}:5`, '__proto__:5'])(
    'leave out %s, which is no change that a slider can have',
    (text) => {
      expect(readPriceChanges(`${text},${USDC}:1`)).toEqual({ [USDC]: 1 })
    },
  )
})
