import { describe, expect, it } from 'vitest'
import { NO_VALUE, numberFormats } from './number.ts'

const english = numberFormats('en-US')
const german = numberFormats('de-DE')

describe('numbers', () => {
  it('USD has cents, and three digits where it is less than a cent', () => {
    expect(['223182.21377291', '0', '-5876.34907224', '0.00732396', '-0.0000123'].map(english.usd)).toEqual([
      '$223,182.21',
      '$0.00',
      '-$5,876.35',
      '$0.00732',
      '-$0.0000123',
    ])
  })

  it('a gain has its sign, and zero has none', () => {
    expect(['73.155', '-0.0000123', '0'].map(english.signedUsd)).toEqual(['+$73.16', '-$0.0000123', '$0.00'])
  })

  it('USD in a few characters has two fractional digits', () => {
    expect(['16190000.5', '155712', '9.5'].map(english.usdShort)).toEqual(['$16.19M', '$155.71K', '$9.50'])
  })

  it('a price has up to six digits, and cents from 1,000 USD on', () => {
    expect(['0.295514', '1', '0.0000649123', '64123.456'].map(english.price)).toEqual(['$0.295514', '$1', '$0.0000649123', '$64,123.46'])
  })

  it('an amount longer than a number of JavaScript keeps its digits', () => {
    expect(english.amount('122274218861512345678.9012')).toBe('122,274,218,861,512,345,678.9012')
  })

  it('an amount below 1 has four digits', () => {
    expect(['0.0000886', '0.5', '15.20345'].map(english.amount)).toEqual(['0.0000886', '0.5', '15.2035'])
  })

  it('a fraction and a percentage are both shown in percent', () => {
    expect([english.percent('0.05392029'), english.percent('11.51698924'), english.percentOf('14.89')]).toEqual([
      '5.39%',
      '1,151.70%',
      '14.89%',
    ])
  })

  it('a percentage below 0.01 % has two digits, and zero has none', () => {
    expect([english.percent('0.00001234'), english.percent('-0.00000002'), english.percent('0'), english.percentOf('0.00123')]).toEqual([
      '0.0012%',
      '-0.000002%',
      '0.00%',
      '0.0012%',
    ])
  })

  it('a ratio is rounded down', () => {
    expect(['0.99999999', '1.1999', '2', '0'].map(english.ratio)).toEqual(['0.99', '1.19', '2.00', '0.00'])
  })

  it('an amount in a few characters has four digits', () => {
    expect(['285938.8079', '3004.879', '0.00001234567', '0'].map(english.amountShort)).toEqual(['285.9K', '3,005', '0.00001235', '0'])
  })

  it('a rate has up to seven digits', () => {
    expect(['0.1849512', '1.000123456789', '1'].map(english.rate)).toEqual(['0.1849512', '1.000123', '1'])
  })

  it('one thing is singular', () => {
    expect([0, 1, 2_000].map((count) => english.count(count, 'ledger'))).toEqual(['0 ledgers', '1 ledger', '2,000 ledgers'])
  })

  it('a percentage at an axis has at most three digits', () => {
    expect([0, 0.4, 0.00475, 1.5].map(english.percentAxis)).toEqual(['0%', '40%', '0.475%', '150%'])
  })

  it('follow the locale', () => {
    expect([german.usd('223182.21'), german.percent('0.0539'), german.whole(1006527)]).toEqual([
      '223.182,21\u00a0$',
      '5,39\u00a0%',
      '1.006.527',
    ])
  })

  it('have a dash where there is no value', () => {
    expect([english.usd(null), english.amount(undefined), english.ratio(null), english.percentOf(null)]).toEqual(Array(4).fill(NO_VALUE))
  })
})
