// The compiled skip functions. `skip.LedgerEntry(view, at)` returns the end of the entry that begins at `at`.

import { LAYOUT } from './layout.ts'
import { compileLayout, type Skip } from './layout-compiler.ts'
import { skipExecutable, skipOpaque, skipScAddress, skipScVal } from './skip-scval.ts'
import { unreadable } from './unreadable.ts'

const natives = {
  opaque: skipOpaque as Skip,
  ScVal: skipScVal,
  ScAddress: skipScAddress,
  ContractExecutable: skipExecutable,
}

export const skip = compileLayout(LAYOUT, natives, unreadable, [
  'LedgerCloseMeta',
  'LedgerCloseMetaExt',
  'LedgerHeaderHistoryEntry',
  'StellarValue',
  'TransactionResult',
  'TransactionMeta',
  'GeneralizedTransactionSet',
  'LedgerEntryChanges',
  'LedgerEntry',
  'TransactionEnvelope',
  'LedgerKey',
  'ContractEvent',
  'ContractEvents',
  'DiagnosticEvents',
  'TransactionEvents',
  'UpgradeEntryMetas',
  'ScpHistoryEntries',
  'SorobanTransactionData',
  'SorobanTransactionMetaExt',
  'OptionalSorobanMetaV2',
  'TransactionV0',
  'MuxedAccount',
  'Preconditions',
  'Memo',
  'OptionalTimeBounds',
  'Operation',
  'DecoratedSignatures',
  'CreateContractArgs',
  'CreateContractArgsV2',
  'SorobanCredentials',
])
