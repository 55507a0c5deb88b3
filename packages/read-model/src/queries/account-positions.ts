// Positions of all accounts in pools of a protocol, in the order of a list. ClickHouse values them at the watermark from their shares there,
// with the integers of `PositionTerm`, and sorts; the figures of a page are made by the code that makes every other answer.
//
// Integers of 256 bits hold every product of two amounts of the chain. A value beyond 10^24 USD counts as unpriced, as in all other answers.
// At 10 M accounts: a statement reads the newest row of each account of its pools, and of what has changed since the watermark the history.

import { z } from 'zod'
import { defineQuery, SORTS_ON_DISK } from '../query.ts'
import { U32 } from './column-types.ts'

/** Health factors are compared as integers of this scale, whatever decimals an oracle has. */
export const HEALTH_SCALE = 24

/** Highest value of an amount in 1e-8 USD, as `valuedToken` has it, and a bound that no product of the statement may pass. */
const HIGHEST = "toInt256('100000000000000000000000000000000')"
const FITS = '5e76'

const OF_POOLS = `protocol = {protocol:String} AND pool IN {pools:Array(String)} AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

/** The row of each entry that is in force at the watermark: for most the newest one, for those that changed since the last one before. */
const ENTRIES = `
        SELECT pool, address, side, asset, shares
        FROM open_positions_latest_v1 FINAL
        WHERE ${OF_POOLS} AND ledger <= {watermark:UInt32}
        UNION ALL
        SELECT pool, address, side, asset, shares
        FROM (
          SELECT pool, address, entry, side, asset, shares
          FROM open_positions_v1
          WHERE ${OF_POOLS} AND ledger <= {watermark:UInt32} AND (pool, address, entry) GLOBAL IN (
            SELECT pool, address, entry FROM open_positions_latest_v1 WHERE ${OF_POOLS} AND ledger > {watermark:UInt32}
          )
          ORDER BY pool, address, entry, ledger DESC
          LIMIT 1 BY pool, address, entry
        )`

const PARTS = `
      SELECT pool, address, toString(part.1) AS side, toString(part.2) AS asset, part.3 AS shares
      FROM (SELECT pool, address, arrayJoin(arrayZip(side, asset, shares)) AS part FROM (${ENTRIES}
      ))
      WHERE part.3 != 0`

/** USD at scale 8 of a raw amount, rounded half up once. */
const usd = (amount: string): string => `multiIf(
          ${amount} = 0, toInt256(0),
          isNull(usd_numerator) OR toFloat64(${amount}) * toFloat64(usd_numerator) > ${FITS}, NULL,
          intDiv(${amount} * usd_numerator + usd_half, usd_half * 2) > ${HIGHEST}, NULL,
          intDiv(${amount} * usd_numerator + usd_half, usd_half * 2))`

/** ⌊a · b / c⌋, of a liability ⌈a · b / c⌉. */
const part = (a: string, b: string, c: string): string => `intDiv(${a} * ${b} + if(side = 'liability', ${c} - 1, toInt256(0)), ${c})`

const power = (exponent: string): string => `toInt256(concat('1', repeat('0', ${exponent})))`

/** As `healthFactor` of Blend: by the prices of the pool's own oracle, else by USD values. */
const LENDING_HEALTH = `multiIf(
          debts = 0, NULL,
          own_missing = 0 AND own_owed > 0, intDiv(own_held * ${power('own_decimals')}, greatest(own_owed, 1)) * ${power(`${HEALTH_SCALE} - own_decimals`)},
          effective_missing > 0 OR effective_owed = 0, NULL,
          intDiv(effective_held * 100000000, greatest(effective_owed, 1)) * ${power(`${HEALTH_SCALE} - 8`)})`

/** As `healthOf` of FxDAO: ⌊rate · collateral / debt⌋ over the minimum, rounded half up to 8 digits. */
const VAULT_HEALTH = `multiIf(
          debts = 0 OR own_missing > 0 OR minimum = 0, NULL,
          intDiv(intDiv(rate * held, greatest(owed, 1)) * 200000000 + minimum, greatest(minimum * 2, 1)) * ${power(`${HEALTH_SCALE} - 8`)})`

/**
 * The next positions of a list after a place in it: `place` is what they are sorted by, as an integer, smallest first: the health factor at
 * `HEALTH_SCALE`, or the negative of USD at scale 8. Null last; equal ones by pool, then by address.
 *
 * `terms`: pool, side, asset, and in texts of integers separated by spaces the fraction of the amount, the factor, the price in USD or '', and
 * price, unit and decimals of the pool's own oracle or ''. `below`: '' or a health factor at `HEALTH_SCALE`.
 */
export const accountPositions = defineQuery({
  name: 'account_positions',
  watermark: 'required',
  params: z.object({
    protocol: z.string(),
    pools: z.array(z.string()),
    terms: z.array(z.custom<{ readonly values: readonly unknown[] }>()),
    watermark: U32,
    sort: z.enum(['health_factor', 'net_usd', 'borrowed_usd']),
    vaults: z.boolean(),
    below: z.string(),
    after: z.boolean(),
    after_place: z.string(),
    after_pool: z.string(),
    after_address: z.string(),
    rows: z.int().positive(),
  }),
  row: z.object({ pool: z.string(), address: z.string(), place: z.string().nullable() }),
  // A pool of millions of accounts is summed on disk where it does not fit into the memory of a statement.
  settings: { max_bytes_before_external_group_by: '134217728', ...SORTS_ON_DISK },
  sql: `
    WITH terms AS (
      SELECT term.1 AS pool, term.2 AS side, term.3 AS asset,
        arrayMap(it -> toInt256OrZero(it), splitByChar(' ', term.4)) AS integers,
        integers[1] AS numerator, integers[2] AS denominator, integers[3] AS factor_numerator, integers[4] AS factor_denominator,
        toBool(integers[5] = 1) AS is_of_pair,
        if(term.5 = '', NULL, toInt256OrZero(splitByChar(' ', term.5)[1])) AS usd_numerator,
        if(term.5 = '', NULL, toInt256OrZero(splitByChar(' ', term.5)[2])) AS usd_half,
        if(term.6 = '', NULL, toInt256OrZero(splitByChar(' ', term.6)[1])) AS own_price,
        if(term.6 = '', NULL, toInt256OrZero(splitByChar(' ', term.6)[2])) AS own_unit,
        if(term.6 = '', NULL, toUInt8OrZero(splitByChar(' ', term.6)[3])) AS own_digits
      FROM (SELECT arrayJoin({terms:Array(Tuple(String, String, String, String, String, String))}) AS term)
    )
    SELECT pool, address, toString(sorted) AS place
    FROM (
      SELECT pool, address, ifNull(place, toInt256(0)) AS known, isNull(place) AS lacks, place AS sorted
      FROM (
        SELECT pool, address, if({vaults:Bool}, ${VAULT_HEALTH}, ${LENDING_HEALTH}) AS health,
          multiIf({sort:String} = 'health_factor', health, {sort:String} = 'net_usd', -(deposited_usd - borrowed_usd), -borrowed_usd) AS place
        FROM (
          SELECT pool, address,
            sumIf(ifNull(value, 0), side NOT IN ('liability', 'lp'))
              + if(countIf(is_of_pair AND amount = 0) > 0, toInt256(0), sumIf(ifNull(value, 0), side = 'lp'))
              AS deposited_usd,
            sumIf(ifNull(value, 0), side = 'liability') AS borrowed_usd,
            countIf(side = 'liability') AS debts,
            countIf(side IN ('collateral', 'liability') AND isNull(own_value)) AS own_missing,
            sumIf(ifNull(own_value, 0), side = 'collateral') AS own_held,
            sumIf(ifNull(own_value, 0), side = 'liability') AS own_owed,
            max(ifNull(own_digits, 0)) AS own_decimals,
            countIf(isNull(effective_value)) AS effective_missing,
            sumIf(ifNull(effective_value, 0), side = 'collateral') AS effective_held,
            sumIf(ifNull(effective_value, 0), side = 'liability') AS effective_owed,
            sumIf(shares, side = 'collateral') AS held, sumIf(shares, side = 'liability') AS owed,
            maxIf(ifNull(own_price, 0), side = 'collateral') AS rate, maxIf(ifNull(own_price, 0), side = 'liability') AS minimum
          FROM (
            SELECT pool, address, side, shares, amount, is_of_pair, own_price, own_digits,
              ${usd('amount')} AS value,
              ${usd('effective')} AS effective_value,
              multiIf(
                side = 'collateral' AND effective = 0 AND NOT {vaults:Bool}, toInt256(0),
                isNull(own_price), NULL,
                intDiv(own_price * effective + if(side = 'liability', own_unit - 1, toInt256(0)), own_unit)) AS own_value
            FROM (
              SELECT parts.pool AS pool, parts.address AS address, parts.side AS side, parts.shares AS shares, is_of_pair,
                usd_numerator, usd_half, own_price, own_unit, own_digits,
                ${part('shares', 'numerator', 'denominator')} AS amount,
                ${part('amount', 'factor_numerator', 'factor_denominator')} AS effective
              FROM (${PARTS}
              ) AS parts
              INNER JOIN terms ON parts.pool = terms.pool AND parts.side = terms.side AND parts.asset = terms.asset
              WHERE NOT (is_of_pair AND parts.pool = parts.address)
            )
          )
          GROUP BY pool, address
        )
        WHERE {below:String} = '' OR health < toInt256OrZero({below:String})
      )
    )
    WHERE NOT {after:Bool} OR (lacks, known, pool, address) > (
      toUInt8({after_place:String} = ''), toInt256OrZero({after_place:String}), {after_pool:String}, {after_address:String}
    )
    ORDER BY lacks, known, pool, address
    LIMIT {rows:UInt32}`,
})
