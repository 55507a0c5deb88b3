// Net changes of vaults in an operation, from its entries.

import type { OperationRecords } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { readVault, readVaultsKey } from '../chain/entries.ts'
import type { NetChange } from './running-vaults.ts'
import type { Amounts } from './step.ts'

/** Includes neighbours whose place in the list changed and whose amounts did not. */
export function netChanges({ entries }: OperationRecords, vaults: ContractId): NetChange[] {
  return entries.flatMap(({ record }) => {
    if (record.contract !== vaults || record.change === 'bootstrap') return []
    const key = readVaultsKey(record.key)
    if (key.kind !== 'vault') return []
    return [{ owner: key.owner, denomination: key.denomination, before: amountsOf(record.before), after: amountsOf(record.value) }]
  })
}

function amountsOf(value: Uint8Array | null): Amounts | null {
  const vault = value === null ? null : readVault(value)
  return vault === null ? null : { collateral: vault.collateral, debt: vault.debt }
}
