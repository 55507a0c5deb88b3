// Positions of the accounts, with their state and all of their snapshots: those of one account of the demo in its pools of Blend and Aquarius, and as
// many in generated pairs as the count of snapshots needs. Vaults of FxDAO are left out: they are one ordered list, in which a copy has no place.

import type { ClickHouseConnection } from '@orrery/read-model'
import { POOLS_ARRAY } from './activities.ts'
import { DEMO_PAIRS, type LargeSet, sizesOf } from './set.ts'
import { inChunks, type Step } from './steps.ts'
import { countOf, type Demo, rowOf, TEMPLATES } from './templates.ts'

/** Which position of the demo is copied to which account and pool. The last account is the whale. */
export async function planPositions(admin: ClickHouseConnection, set: LargeSet, demo: Demo): Promise<void> {
  const { accounts, snapshots, whalePositions, poolGroups } = sizesOf(set)
  const { seed } = set
  await admin.client.command({
    query: `CREATE TABLE ${TEMPLATES}.plan ENGINE = MergeTree ORDER BY n AS
      SELECT a.n AS n, a.address AS address, toString(p.protocol) AS protocol, p.address AS of_address, toString(p.pool) AS of_pool,
        toString(p.pool) AS pool, toUInt16(0) AS scope, p.snapshots AS snapshots
      FROM (SELECT n, address, sipHash64(${seed}, 'holder', n) % ${demo.holders} AS holder FROM ${TEMPLATES}.accounts) AS a
      INNER JOIN ${TEMPLATES}.holders AS h ON h.n = a.holder
      INNER JOIN ${TEMPLATES}.positions AS p ON p.address = h.address
      WHERE p.protocol IN ('blend', 'aquarius')`,
  })
  const { rows } = await rowOf<{ rows: string }>(admin, `SELECT sum(snapshots) AS rows FROM ${TEMPLATES}.plan`)
  const left = (snapshots - Number(rows)) / demo.pairSnapshots - whalePositions
  const each = Math.min(poolGroups, Math.max(1, Math.round(left / accounts)))
  await admin.client.command({
    query: `INSERT INTO ${TEMPLATES}.plan WITH ${POOLS_ARRAY} AS pools, (SELECT groupArray(scope) FROM (SELECT scope FROM ${TEMPLATES}.pools ORDER BY n)) AS scopes
      SELECT a.n, a.address, 'soroswap', p.address, p.pool, pools[a.pool_group * ${DEMO_PAIRS} + p.pair], scopes[a.pool_group * ${DEMO_PAIRS} + p.pair], p.snapshots
      FROM (
        SELECT n, address, sipHash64(${seed}, 'position', n, i) % ${demo.pairPositions} AS position,
          (sipHash64(${seed}, 'pools', n) % ${poolGroups} + i) % ${poolGroups} AS pool_group
        FROM ${TEMPLATES}.accounts ARRAY JOIN range(if(n = ${accounts}, ${whalePositions}, ${each})) AS i
      ) AS a INNER JOIN (SELECT * FROM ${TEMPLATES}.positions WHERE protocol = 'soroswap') AS p ON p.n = a.position`,
  })
}

export async function positionSteps(admin: ClickHouseConnection, set: LargeSet): Promise<readonly Step[]> {
  const accounts = sizesOf(set).accounts + 1
  const { rows } = await rowOf<{ rows: string }>(admin, `SELECT sum(snapshots) AS rows FROM ${TEMPLATES}.plan`)
  const plan = (first: number, count: number, where: string): string =>
    `(SELECT * FROM ${TEMPLATES}.plan WHERE n >= ${first} AND n < ${first + count} AND ${where})`
  // The table on the right of a join is held in memory: the plan of some accounts.
  const snapshots = (first: number, count: number): string => `
    INSERT INTO position_snapshots_v1 SELECT t.* REPLACE (p.address AS address, p.pool AS pool) FROM ${TEMPLATES}.snapshots AS t
    INNER JOIN ${plan(first, count, '1')} AS p ON p.protocol = toString(t.protocol) AND p.of_address = t.address AND p.of_pool = toString(t.pool)`
  const ownState = (first: number, count: number): string => `
    INSERT INTO state_v1 SELECT t.* REPLACE (p.address AS owner, replaceOne(t.key, t.owner, p.address) AS key) FROM ${TEMPLATES}.account_state AS t
    INNER JOIN (SELECT DISTINCT address, protocol, of_address FROM ${plan(first, count, "protocol != 'soroswap'")}) AS p
    ON p.protocol = toString(t.protocol) AND p.of_address = t.owner`
  const pairState = (first: number, count: number): string => `
    INSERT INTO state_v1 SELECT t.* REPLACE (p.address AS owner, replaceOne(t.key, t.owner, p.address) AS key, p.pool AS contract, p.scope AS scope)
    FROM ${TEMPLATES}.account_state AS t INNER JOIN ${plan(first, count, "protocol = 'soroswap'")} AS p
    ON t.protocol = 'soroswap' AND p.of_address = t.owner AND p.of_pool = toString(t.contract)`
  const { rows: states } = await rowOf<{ rows: string }>(
    admin,
    `SELECT sum(n) AS rows FROM (SELECT DISTINCT address, protocol, of_address FROM ${TEMPLATES}.plan WHERE protocol != 'soroswap') AS p
     INNER JOIN (SELECT protocol, owner, count() AS n FROM ${TEMPLATES}.account_state GROUP BY protocol, owner) AS t
     ON toString(t.protocol) = p.protocol AND t.owner = p.of_address`,
  )
  const pairPositions = await countOf(admin, `${TEMPLATES}.plan WHERE protocol = 'soroswap'`)
  const pairStates = (pairPositions / accounts) * 8
  return [
    { name: 'position snapshots', statements: inChunks(accounts, Number(rows) / accounts, snapshots) },
    {
      name: 'state of accounts',
      statements: [...inChunks(accounts, Number(states) / accounts, ownState), ...inChunks(accounts, pairStates, pairState)],
    },
  ]
}

/** Bytes of the address of a holder before its checksum. */
const payloadOf = (seed: number): string =>
  `concat(char(48), sipHash128Keyed((toUInt64(${seed}), toUInt64(0)), number), sipHash128Keyed((toUInt64(${seed}), toUInt64(1)), number))`
/** CRC16/XMODEM, a byte at a time, without a table. */
const MIXED = `bitXor(bitXor(bitShiftRight(crc, 8), byte), bitShiftRight(bitXor(bitShiftRight(crc, 8), byte), 4))`
const CHECKSUM = `arrayFold((crc, byte) -> toUInt16(bitXor(bitXor(bitShiftLeft(crc, 8), bitShiftLeft(toUInt16(${MIXED}), 12)),
  bitXor(bitShiftLeft(toUInt16(${MIXED}), 5), toUInt16(${MIXED})))), arrayMap(i -> toUInt16(reinterpretAsUInt8(substring(payload, i, 1))), range(1, 34)), toUInt16(0))`

/** Holders of pools that do nothing else, until there are as many entries of accounts as the set has. Each has the entries of one holder of the demo. */
export async function holderStep(admin: ClickHouseConnection, set: LargeSet): Promise<Step> {
  const { stateEntries, poolGroups } = sizesOf(set)
  const written = await countOf(admin, "state_latest_v1 FINAL WHERE owner != ''")
  const entries = (await countOf(admin, `${TEMPLATES}.model_state`)) / DEMO_PAIRS
  const holders = Math.max(0, Math.ceil((stateEntries - written) / entries))
  return {
    name: 'state of other holders',
    statements: inChunks(
      holders,
      entries,
      (first, count) => `
      INSERT INTO state_v1 WITH ${POOLS_ARRAY} AS pools, (SELECT groupArray(scope) FROM (SELECT scope FROM ${TEMPLATES}.pools ORDER BY n)) AS scopes
      SELECT t.* EXCEPT (pair) REPLACE (h.holder AS owner, replaceOne(t.key, t.owner, h.holder) AS key, pools[h.pool + 1] AS contract, scopes[h.pool + 1] AS scope)
      FROM (
        SELECT number, number % ${poolGroups * DEMO_PAIRS} AS pool, ${payloadOf(set.seed)} AS payload, ${CHECKSUM} AS checksum,
          base32Encode(concat(payload, char(bitAnd(checksum, 255)), char(bitShiftRight(checksum, 8)))) AS holder
        FROM numbers(${first}, ${count})
      ) AS h INNER JOIN ${TEMPLATES}.model_state AS t ON toUInt64(t.pair) = h.pool % ${DEMO_PAIRS} + 1`,
    ),
  }
}
