// Activities and transactions. A copy has every transaction of the demo with another hash, at another ledger, of other accounts and in other pairs;
// the accounts of one copy are neighbours in the list of accounts, so that each account gets rows of every account of the demo. In the copies of
// the whale, the main account of every transaction is the whale.

import { DEMO_PAIRS, type LargeSet, sizesOf, whaleOf } from './set.ts'
import { inChunks, type Step } from './steps.ts'
import { type Demo, TEMPLATES } from './templates.ts'

export const ACCOUNTS_ARRAY = `(SELECT groupArray(address) FROM (SELECT address FROM ${TEMPLATES}.accounts ORDER BY n))`
export const POOLS_ARRAY = `(SELECT groupArray(pool) FROM (SELECT pool FROM ${TEMPLATES}.pools ORDER BY n))`

/** Copies without the whale, and then those with it. */
function copiesOf(set: LargeSet, demo: Demo): { readonly others: number; readonly all: number } {
  const { activities, whaleActivities } = sizesOf(set)
  const ofWhale = Math.ceil(whaleActivities / demo.whaleActivities)
  // Rows of the whale's copies that are not the whale's are other accounts' activities.
  const left = activities - ofWhale * (demo.activities - demo.whaleActivities)
  const others = Math.max(1, Math.ceil(left / demo.activities))
  return { others, all: others + ofWhale }
}

export function activitySteps(set: LargeSet, demo: Demo): readonly Step[] {
  const { others, all } = copiesOf(set, demo)
  const { accounts, poolGroups } = sizesOf(set)
  const { firstLedger, ledgers, orders } = demo
  /** Expressions about a row `t` of copy `c`. */
  const names = `
    ${ACCOUNTS_ARRAY} AS accounts, ${POOLS_ARRAY} AS pools,
    (SELECT groupArray(close_time) FROM (SELECT close_time FROM ledgers ORDER BY ledger)) AS close_times,
    toUInt32((t.ledger - ${firstLedger} + c.shift) % ${ledgers}) AS place, toUInt32(${firstLedger} + place) AS new_ledger,
    toUInt32(t.tx_order + ${orders} * (c.copy + 1)) AS new_order,
    lower(concat(hex(sipHash128Keyed((toUInt64(${set.seed}), c.copy), t.tx_hash)), hex(sipHash128Keyed((c.copy, toUInt64(${set.seed})), t.tx_hash)))) AS new_hash`
  const account = (address: string, number: string, isMain: string): string =>
    `multiIf(${number} = 0, ${address}, c.copy >= ${others} AND ${isMain}, '${whaleOf(set)}', accounts[(c.copy + ${number}) % ${accounts} + 1])`
  const pool = (contract: string, pair: string): string => `if(${pair} = 0, ${contract}, pools[c.pool_group * ${DEMO_PAIRS} + ${pair}])`
  const copies = (first: number, count: number): string =>
    `(SELECT number AS copy, sipHash64(${set.seed}, 'ledger', number) % ${ledgers} AS shift, sipHash64(${set.seed}, 'pools', number) % ${poolGroups} AS pool_group
      FROM numbers(${first}, ${count})) AS c`
  const common = 'new_ledger AS ledger, new_order AS tx_order, close_times[place + 1] AS close_time, new_hash AS tx_hash'

  const activities = (first: number, count: number): string => `
    INSERT INTO activities_v1 WITH ${names}, ${account('t.address', 't.address_number', 't.is_main')} AS new_address
    SELECT t.* EXCEPT (address_number, counterparty_number, is_main, is_counterparty_main, contract_pair, counterparty_pair, names_address)
      REPLACE (${common}, new_address AS address, ${pool('toString(t.contract)', 't.contract_pair')} AS contract,
        if(t.counterparty_pair > 0, ${pool('t.counterparty', 't.counterparty_pair')},
          ${account('t.counterparty', 't.counterparty_number', 't.is_counterparty_main')}) AS counterparty,
        concat(leftPad(lower(hex(new_ledger)), 8, '0'), leftPad(lower(hex(new_order)), 6, '0'), substring(t.action_id, 15)) AS action_id,
        if(t.names_address, replaceAll(t.metadata, t.address, new_address), t.metadata) AS metadata)
    FROM ${copies(first, count)} CROSS JOIN ${TEMPLATES}.activities AS t`
  const transactions = (first: number, count: number): string => `
    INSERT INTO transactions_v1 WITH ${names}
    SELECT t.* EXCEPT (source_number, is_main) REPLACE (${common}, ${account('t.source', 't.source_number', 't.is_main')} AS source)
    FROM ${copies(first, count)} CROSS JOIN ${TEMPLATES}.transactions AS t`
  return [
    { name: 'activities', statements: inChunks(all, demo.activities, activities), isUnique: true },
    { name: 'transactions', statements: inChunks(all, demo.transactions, transactions), isUnique: true },
  ]
}
