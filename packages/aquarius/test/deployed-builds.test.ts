// The builds that mainnet's router deploys since v2.0: for stable and concentrated pools other ones than the repository's.
// Hashes: those that the router declares, seen in pool instances of mainnet from April to September 2026.

import { sc } from '@orrery/ledger'
import { madeEntry, sceneSeconds } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { releaseName, releaseOf } from '../src/chain/release.ts'
import { aquariusView } from '../src/view/view.ts'
import { alice, entries, make, named, network, pool, Scene, shares, tokenA, tokenB } from './scene.ts'

const whole = (code: string) => code.padEnd(64, '0')

/** A stable pool whose instance was last written by v1.6 and that was then upgraded: nothing in its storage shows a later release. */
function stableInstance(code: string) {
  return sc.instance(
    { kind: 'wasm', hash: whole(code) },
    [named('Tokens'), sc.vec(sc.address(tokenA), sc.address(tokenB))],
    [named('Reserves'), sc.vec(sc.u128(50n), sc.u128(70n))],
    [named('InitialA'), sc.u128(100n)],
    [named('InitialATime'), sc.u64(0n)],
    [named('FutureA'), sc.u128(100n)],
    [named('FutureATime'), sc.u64(0n)],
    [named('Fee'), sc.u32(10)],
    [named('ProtocolFeeFraction'), sc.u32(5_000)],
    [named('TokenShare'), sc.address(shares)],
    [named('TotalShares'), sc.u128(10n)],
  )
}

describe('a stable pool of mainnet that no operation touched since its upgrade to v2.0', () => {
  /** Alice has all ten shares; the pool holds ten units of the first token more than its reserves. */
  const withGift = (code: string) => {
    const scene = new Scene()
    const { notices } = scene.ledger([
      make.addPool(pool, 'stable'),
      madeEntry(pool, sc.instanceKey(), stableInstance(code)),
      entries.shares(tokenA, pool, 60n),
      entries.shares(tokenB, pool, 70n),
      entries.shares(shares, alice, 10n),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [50n, 70n]),
    ])
    const { ledger } = scene.state
    const view = aquariusView(network)
    const position = view.position(scene.state, pool, alice, { ledger, closeTimeSeconds: sceneSeconds(ledger) }, new Map())
    return { position, unknownBuilds: notices.filter(({ reason }) => reason.includes('is not a build')).length }
  }

  it('pays what it holds beyond its reserves, as v2.0 does, exactly and without a notice', () => {
    // All shares are hers, so a withdraw pays all of what v2.0 raises the reserves to: 60 and 70.
    const { position, unknownBuilds } = withGift('f1077e0b77da5e62')
    expect(position?.tokens.map(({ amount }) => amount)).toEqual([60n, 70n])
    expect([position?.exact, unknownBuilds]).toEqual([true, 0])
  })

  it('is inexact and counted where its build is of 2024, which the list leaves out', () => {
    const { position, unknownBuilds } = withGift('2d770946')
    expect(position?.tokens.map(({ amount }) => amount)).toEqual([50n, 70n])
    expect([position?.exact, unknownBuilds]).toEqual([false, 1])
  })
})

describe('the builds that mainnet deploys', () => {
  it.each([
    ['stable', 'f1077e0b77da5e62'],
    ['concentrated', '12fca5a7a9657727'],
    ['concentrated', '8875f0c770fb26d3'],
  ] as const)('of %s pools, %s, are known as v2.0', (layout, code) => {
    // The storage alone would prove v1.6 of the stable one.
    const { release, isKnownBuild } = releaseOf(whole(code), layout === 'concentrated', (key) => key === 'ProtocolFeeFraction')
    expect([releaseName(release), isKnownBuild]).toEqual(['2.0', true])
  })
})
