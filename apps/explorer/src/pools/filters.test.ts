import { describe, expect, it } from 'vitest'
import { isUsd, POOL_STATUS_NAMES, poolTypeNames } from './filters.ts'

describe('filters of pools', () => {
  it('offer the types that a protocol has, and each type once where all protocols are listed', () => {
    expect(poolTypeNames('fxdao')).toEqual({ vault: 'Vault', staking: 'Staking' })
    expect(Object.keys(poolTypeNames(undefined)).toSorted()).toEqual([
      ...['concentrated', 'constant_product', 'lending', 'stable', 'staking', 'unknown', 'vault'],
    ])
  })

  it('offer every status of the API', () => {
    expect(Object.values(POOL_STATUS_NAMES)).toEqual(['Active', 'On ice', 'Frozen', 'Setup', 'Paused', 'Retired'])
  })

  it.each([
    ['1000', true],
    ['0.5', true],
    ['-1', false],
    ['1e3', false],
    ['0.123456789', false],
    ['', false],
    [undefined, false],
  ])('take %s as an amount of USD: %s', (text, isTaken) => {
    expect(isUsd(text)).toBe(isTaken)
  })
})
