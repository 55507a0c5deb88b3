import { midHistoryContract } from '../test/mid-history-contract.ts'

// Two weeks, in which a pair is created that the late index tracks from its first day.
midHistoryContract({
  last: 1_003_600,
  lastRestart: 1_001_800,
  atLeast: { poolSnapshots: 1_000, positionSnapshots: 5_000, compared: 40 },
})
