// Events of changes to how a contract of Aquarius works: switches, fees, amplification, gauges, roles, code.
// Pools and the router share most of them. Each becomes an activity of type `admin` with its members in `metadata`, under the names declared here.
// Source: soroban-amm liquidity_pool_events, liquidity_pool_reward_gauge, access_control, upgrade: src/events.rs.

import { type Address, address, any, bytes, type ScVal, symbol, tuple, u32, u64, u128, vec } from '@orrery/ledger'
import { type EventBytes, mapped, type Reader, readMembers, type Unknown, unknown, withList, withValue } from './event-reader.ts'

/** Set-up and other administrative changes. */
export interface AdminEvent {
  readonly name: 'admin'
  /** The contract's own name of the event. */
  readonly event: string
  /** snake_case, as it goes to `metadata`. */
  readonly details: Readonly<Record<string, unknown>>
}

type AdminReaders = Readonly<Record<string, Reader<object>>>

const plain = withValue({}, {})
const fee = withList({}, { fee_of_10000: u32 })
const gauge = withList({}, { reward_token: address, gauge: address })
const upgrade = withValue({}, { codes: vec(bytes) })
const ownership = withList({ role: symbol }, { new: address })
const code = tuple(symbol, bytes)

const ADMIN: AdminReaders = {
  kill_deposit: plain,
  unkill_deposit: plain,
  kill_swap: plain,
  unkill_swap: plain,
  kill_claim: plain,
  unkill_claim: plain,
  rewards_gauge_kill_claim: plain,
  rewards_gauge_unkill_claim: plain,
  kill_gauges_claim: plain,
  unkill_gauges_claim: plain,
  revert_new_parameters: plain,
  revert_upgrade: plain,
  enable_emergency_mode: plain,
  disable_emergency_mode: plain,
  set_protocol_fee: fee,
  commit_new_fee: fee,
  apply_new_fee: fee,
  ramp_a: withList({}, { future_amplification: u128, future_time: u64 }),
  stop_ramp_a: withList({}, { amplification: u128 }),
  rewards_gauge_add: gauge,
  rewards_gauge_remove: gauge,
  rewards_gauge_schedule_reward: withList({ reward_token: address }, { starts_at: u64, ends_at: u64, tokens_per_second: u128 }),
  commit_upgrade: upgrade,
  apply_upgrade: upgrade,
  commit_transfer_ownership: ownership,
  apply_transfer_ownership: ownership,
  revert_transfer_ownership: withValue({ role: symbol }, {}),
  set_privileged_addrs: mapped(withValue({}, { roles: vec(any) }), ({ roles }) => addressesByRole(roles)),
  executable_update: mapped(withValue({ before: code, after: code }, { data: any }), ({ before, after }) => ({
    old_code: before[1],
    new_code: after[1],
  })),
}

/** The event as an administrative one, `unknown` when its name is none of these. `own`: further ones of the contract. */
export function readAdminEvent(record: EventBytes, own: AdminReaders = {}): AdminEvent | Unknown {
  const read = readMembers({ ...ADMIN, ...own }, record) ?? unknown(record)
  if (read.name === 'unknown') return read
  const details = Object.fromEntries(Object.entries(read.members).map(([key, value]) => [key, inJson(value)]))
  return { name: 'admin', event: read.event, details }
}

/** Integers as text, bytes as hex. */
function inJson(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return Array.isArray(value) ? value.map(inJson) : value
}

const ROLES = ['rewards_admin', 'operations_admin', 'pause_admin', 'emergency_pause_admins', 'system_fee_admin'] as const

/** Four addresses before v1.6, five since. */
function addressesByRole(values: readonly ScVal[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(ROLES.slice(0, values.length).map((role, n) => [role, addressesOf(values[n])]))
}

function addressesOf(value: ScVal | undefined): Address | readonly unknown[] | null {
  if (value?.type === 'address') return value.value
  return value?.type === 'vec' ? (value.value ?? []).map(addressesOf) : null
}
