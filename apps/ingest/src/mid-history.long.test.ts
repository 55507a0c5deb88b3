import { midHistoryContract } from '../test/mid-history-contract.ts'

// To the end of the recording.
midHistoryContract({
  last: 1_006_527,
  lastRestart: 1_002_100,
  atLeast: { poolSnapshots: 5_000, positionSnapshots: 50_000, compared: 1_000 },
})
