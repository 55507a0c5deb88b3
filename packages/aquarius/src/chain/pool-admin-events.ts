// Events of changes to how a contract of Aquarius works: switches, fees, amplification, gauges, roles, code.
// Pools and the router share most of them. Each becomes an activity of type `admin` with its members in `metadata`.
// Source: soroban-amm liquidity_pool_events, liquidity_pool_reward_gauge, access_control, upgrade: src/events.rs.

import { type Address, address, any, bytes, nothing, type Shape, symbol, tuple, u32, u64, u128, vec } from '@orrery/ledger'
import { type AdminEvent, type EventBytes, eventName, named, readAs, type Unknown } from './event-reader.ts'

const hashes = vec(bytes)
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
const text = (value: bigint) => value.toString()

/** Without members. */
const PLAIN = new Set([
  'kill_deposit',
  'unkill_deposit',
  'kill_swap',
  'unkill_swap',
  'kill_claim',
  'unkill_claim',
  'rewards_gauge_kill_claim',
  'rewards_gauge_unkill_claim',
  'kill_gauges_claim',
  'unkill_gauges_claim',
  'revert_new_parameters',
  'revert_upgrade',
  'enable_emergency_mode',
  'disable_emergency_mode',
])

const ROLE_ADDRESSES = ['rewards_admin', 'operations_admin', 'pause_admin', 'emergency_pause_admins', 'system_fee_admin'] as const
/** Four addresses before v1.6, five since. */
const Roles = vec(any)

/** The event as an administrative one, null when its name is none of these. */
export function readPoolAdminEvent(record: EventBytes): AdminEvent | Unknown | null {
  const name = eventName(record)
  if (name === null) return null
  const admin = <D>(shape: Shape<D>, details: (data: D) => AdminEvent['details'], topics: readonly Shape<unknown>[] = []) =>
    readAs(named(name, topics, shape), record, (_, data): AdminEvent => ({ name: 'admin', event: name, details: details(data) }))
  if (PLAIN.has(name)) return admin(nothing, () => ({}))
  switch (name) {
    case 'set_protocol_fee':
    case 'commit_new_fee':
    case 'apply_new_fee':
      return admin(tuple(u32), ([fee]) => ({ fee_of_10000: fee }))
    case 'ramp_a':
      return admin(tuple(u128, u64), ([a, at]) => ({ future_amplification: text(a), future_time: text(at) }))
    case 'stop_ramp_a':
      return admin(tuple(u128), ([a]) => ({ amplification: text(a) }))
    case 'rewards_gauge_add':
    case 'rewards_gauge_remove':
      return admin(tuple(address, address), ([token, gauge]) => ({ reward_token: token, gauge }))
    case 'rewards_gauge_schedule_reward':
      return readAs(named(name, [address], tuple(u64, u64, u128)), record, ([, token], [start, end, rate]) => ({
        name: 'admin',
        event: name,
        details: { reward_token: token, starts_at: text(start), ends_at: text(end), tokens_per_second: text(rate) },
      }))
    case 'commit_upgrade':
    case 'apply_upgrade':
      return admin(hashes, (codes) => ({ codes: codes.map(hex) }))
    case 'commit_transfer_ownership':
    case 'apply_transfer_ownership':
      return readAs(named(name, [symbol], tuple(address)), record, ([, role], [to]) => ({
        name: 'admin',
        event: name,
        details: { role, new: to },
      }))
    case 'revert_transfer_ownership':
      return readAs(named(name, [symbol], nothing), record, ([, role]) => ({ name: 'admin', event: name, details: { role } }))
    case 'set_privileged_addrs':
      return admin(Roles, roles)
    case 'executable_update':
      return readAs(named(name, [tuple(symbol, bytes), tuple(symbol, bytes)], any), record, ([, before, after]) => ({
        name: 'admin',
        event: name,
        details: { old_code: hex(before[1]), new_code: hex(after[1]) },
      }))
    default:
      return null
  }
}

function roles(values: readonly { readonly type: string }[]): AdminEvent['details'] {
  return Object.fromEntries(
    values.flatMap((value, n) => (ROLE_ADDRESSES[n] === undefined ? [] : [[ROLE_ADDRESSES[n], addressesOf(value)]])),
  )
}

function addressesOf(value: unknown): Address | readonly Address[] | null {
  const it = value as { readonly type: string; readonly value?: unknown }
  if (it.type === 'address') return it.value as Address
  return it.type === 'vec' ? (it.value as readonly unknown[]).map((item) => addressesOf(item) as Address) : null
}
